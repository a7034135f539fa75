"""What a user interface does beside the main job, each with its own line of output.

    python3 tour.py <repository> <folder> <destination>

signs in with a session as a browser does, measures a folder, saves it by a schedule without a time, takes an archive
made by hand into the retention of that schedule, shows what a first page shows, downloads and restores the folder,
and removes the registration and brings it back.
"""

import sys

from holdfast_client import AuthenticatedClient, Client
from holdfast_client.api.archives import archives_download
from holdfast_client.api.authentication_and_users import auth_session_confirm, auth_session_open
from holdfast_client.api.backups import backups_start
from holdfast_client.api.history import history_days, history_repository
from holdfast_client.api.jobs import jobs_list
from holdfast_client.api.notifications import incidents_list, notifications_services
from holdfast_client.api.overview import overview_get
from holdfast_client.api.places import places_browse, places_preflight
from holdfast_client.api.repositories import repositories_create, repositories_delete, repositories_import
from holdfast_client.api.restore import restore_plan, restore_start
from holdfast_client.api.schedules import (
    schedules_adopt,
    schedules_create,
    schedules_preview,
    schedules_release,
    schedules_run_now,
)
from holdfast_client.api.source_sets import source_sets_create
from holdfast_client.models import (
    ArchivesDownloadFormat,
    AuthSessionConfirmBody,
    BackupsStartBody,
    BrowserCredentials,
    NewSourceSet,
    PreflightInput,
    RepositoriesCreateBody,
    RepositoriesImportBody,
    RestoreInput,
    RestoreInputLayout,
    RestoreStartInput,
    SchedulesAdoptBody,
    SchedulesCreateBody,
    SchedulesPreviewBody,
    SchedulesReleaseBody,
)
from session import base_url, ended_job, good, passphrase, password, username


def main(path: str, folder: str, destination: str) -> None:
    inside = folder.lstrip("/")
    credentials = BrowserCredentials(username, password)
    session = good(auth_session_open.sync(client=Client(base_url), body=credentials))
    client = AuthenticatedClient(base_url, token=session.access_token)
    # Opens ten minutes for what can't be undone: adoption and removal below.
    good(auth_session_confirm.sync(client=client, body=AuthSessionConfirmBody(password)))
    print(f"Signed in as {session.username}.")

    items = good(places_browse.sync(client=client, path=folder)).items
    measured = good(places_preflight.sync(client=client, body=PreflightInput([folder], path=path)))
    print(f"{folder} shows {len(items)} entries; {measured.files} files have {measured.bytes_} bytes.")

    wanted_set = NewSourceSet(f"Set of {path}", [folder])
    source_set_id = good(source_sets_create.sync(client=client, body=wanted_set)).source_set.id
    wanted = RepositoriesCreateBody(
        name=f"Tour {path}",
        path=path,
        passphrase=passphrase,
        source_set_id=source_set_id,
        freshness_hours=48,
    )
    repository = good(repositories_create.sync(client=client, body=wanted)).repository
    print(f"Repository {repository.id} saves {','.join(repository.source_directories)}.")

    by_hand = SchedulesCreateBody(
        name=f"By hand {path}",
        cron_expression="",
        repository_id=repository.id,
        run_prune_after=True,
        prune_keep_within="30d",
    )
    schedule = good(schedules_create.sync(client=client, body=by_hand)).job
    ended_job(good(schedules_run_now.sync(schedule.id, client=client)).job_id, client)
    started = good(backups_start.sync(client=client, body=BackupsStartBody(repository_id=repository.id)))
    archive = ended_job(started.job_id, client).about.archive
    jobs = good(jobs_list.sync(client=client, kind="backup", repository_id=repository.id, limit=10)).jobs
    print(f"{len(jobs)} backups: one of schedule {schedule.id}, one by hand.")

    choice = SchedulesAdoptBody(repository.id, archives=[archive])
    adopted = good(schedules_adopt.sync(schedule.id, client=client, body=choice))
    rules = SchedulesPreviewBody(
        cron_expression="0 2 * * *",
        prune_keep_within="30d",
        repository_id=repository.id,
        schedule_id=schedule.id,
    )
    preview = good(schedules_preview.sync(client=client, body=rules))
    release = SchedulesReleaseBody(repository.id, archives=[archive])
    good(schedules_release.sync(schedule.id, client=client, body=release))
    print(f"Adopted {len(adopted.archives)}; the preview keeps {preview.kept_count} archives.")

    overview = good(overview_get.sync(client=client))
    mine = next(each for each in overview.repositories if each.id == repository.id)
    samples = good(history_repository.sync(repository.id, client=client)).samples
    strip = good(history_days.sync(client=client, days=7, repository_id=repository.id)).repositories[0].days
    print(f"It is {mine.status}, with {len(samples)} samples; its last {len(strip)} days are known.")

    incidents = good(incidents_list.sync(client=client, repository_id=repository.id)).incidents
    services = good(notifications_services.sync(client=client))
    print(f"{len(incidents)} incidents; {len(services)} services can tell about them.")

    packed = archives_download.sync(
        client=client,
        repository_id=repository.id,
        archive=archive,
        file_path=inside,
        format_=ArchivesDownloadFormat.ZIP,
    )
    print(f"The folder as zip begins with {good(packed).payload.read(2).decode()}.")

    layout = RestoreInputLayout.SELECTION
    order = RestoreInput(archive, destination, repository_id=repository.id, paths=[inside], layout=layout)
    plan = good(restore_plan.sync(client=client, body=order))
    start = RestoreStartInput(plan_id=plan.plan_id)
    ended_job(good(restore_start.sync(client=client, body=start)).job_id, client)
    print(f"Restored {plan.files} files to {destination}.")

    removed = good(repositories_delete.sync(repository.id, client=client)).switched_off
    known = RepositoriesImportBody(f"Tour {path}", path, passphrase=passphrase, source_set_id=source_set_id)
    again = good(repositories_import.sync(client=client, body=known)).repository
    which = "the same" if again.id == repository.id else "another"
    print(f"Removed, which stopped {len(removed.schedules)} schedule; back as {which} one.")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3])
