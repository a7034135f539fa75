"""The main job with a client that openapi-python-client generates from the document of the service.

    openapi-python-client generate --url "$HOLDFAST_URL/api/openapi.json" --output-path holdfast_client --meta none
    python3 main.py <repository> <folder> <download>

creates a repository, saves a folder in it, looks into the archive, downloads the first file of the folder, and
compares. The environment contains the address of the service and the user.
"""

import os
import sys
import time
from pathlib import Path
from typing import TypeVar

from holdfast_client import AuthenticatedClient, Client
from holdfast_client.api.archives import archives_contents, archives_download, archives_list
from holdfast_client.api.authentication_and_users import auth_login
from holdfast_client.api.backups import backups_start, backups_status
from holdfast_client.api.repositories import repositories_create
from holdfast_client.models import BackupsStartBody, Credentials, ErrorBody, JobStatus, RepositoriesCreateBody

Answer = TypeVar("Answer")


def secret(variable: str) -> str:
    """From a file, because other programs can read the environment and the arguments of this one."""
    return Path(os.environ[variable]).read_text(encoding="utf-8").rstrip("\n")


def good(answer: Answer | ErrorBody | None) -> Answer:
    """The data of an answer. Every error has a `detail` that says what to do."""
    if answer is None:
        raise SystemExit("The service sent an answer that its document does not describe.")
    if isinstance(answer, ErrorBody):
        raise SystemExit(answer.detail)
    return answer


def main(repository: str, folder: Path, download: Path) -> None:
    base_url = os.environ.get("HOLDFAST_URL", "http://127.0.0.1:8081")
    credentials = Credentials(os.environ.get("HOLDFAST_USER", "admin"), secret("HOLDFAST_PASSWORD_FILE"))
    session = good(auth_login.sync(client=Client(base_url), body=credentials))
    client = AuthenticatedClient(base_url, token=session.access_token)

    wanted = RepositoriesCreateBody(
        name=f"Example {repository}",
        path=repository,
        passphrase=secret("HOLDFAST_PASSPHRASE_FILE"),
        source_directories=[str(folder)],
    )
    created = good(repositories_create.sync(client=client, body=wanted)).repository
    print(f"Repository {created.id} is at {repository}.")

    started = good(backups_start.sync(client=client, body=BackupsStartBody(repository_id=created.id)))
    job = good(backups_status.sync(started.job_id, client=client))
    while job.completed_at is None:
        time.sleep(0.2)
        job = good(backups_status.sync(started.job_id, client=client))
    if job.status != JobStatus.COMPLETED:
        raise SystemExit(f"The backup ended as {job.status}: {job.error_message}")
    print(f"Job {job.id} saved {job.progress_details.nfiles} files.")

    archives = good(archives_list.sync(client=client, repository_id=created.id)).archives
    archive = archives[-1].name
    print(f"The newest of {len(archives)} archives is {archive}.")

    inside = str(folder).lstrip("/")
    contents = good(archives_contents.sync(archive, client=client, repository_id=created.id, path=inside))
    file = next(item for item in contents.items if item.type_ == "file")

    content = good(
        archives_download.sync(client=client, repository_id=created.id, archive=archive, file_path=file.path)
    )
    data = content.payload.read()
    download.write_bytes(data)
    if data != (folder / file.name).read_bytes():
        raise SystemExit(f"{file.name} is not what was saved.")
    print(f"{file.name}: {len(data)} bytes, the same as in the folder.")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
