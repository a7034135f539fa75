"""The main job with a client that openapi-python-client generates from the document of the service.

    openapi-python-client generate --url "$HOLDFAST_URL/api/openapi.json" --output-path holdfast_client --meta none
    python3 main.py <repository> <folder> <download>

creates a repository, saves a folder in it, looks into the archive, downloads the first file of the folder, and
compares.
"""

import sys
from pathlib import Path

from holdfast_client import AuthenticatedClient, Client
from holdfast_client.api.archives import archives_contents, archives_download, archives_list
from holdfast_client.api.authentication_and_users import auth_login
from holdfast_client.api.backups import backups_start
from holdfast_client.api.repositories import repositories_create
from holdfast_client.models import BackupsStartBody, Credentials, RepositoriesCreateBody
from session import base_url, ended_job, good, passphrase, password, username


def main(repository: str, folder: Path, download: Path) -> None:
    session = good(auth_login.sync(client=Client(base_url), body=Credentials(username, password)))
    client = AuthenticatedClient(base_url, token=session.access_token)

    wanted = RepositoriesCreateBody(
        name=f"Example {repository}",
        path=repository,
        passphrase=passphrase,
        source_directories=[str(folder)],
    )
    created = good(repositories_create.sync(client=client, body=wanted)).repository
    print(f"Repository {created.id} is at {repository}.")

    started = good(backups_start.sync(client=client, body=BackupsStartBody(repository_id=created.id)))
    job = ended_job(started.job_id, client)
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
