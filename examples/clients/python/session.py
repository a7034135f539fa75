"""What both programs need: the address of the service and the user, from the environment."""

import os
import time
from pathlib import Path
from typing import TypeVar

from holdfast_client import AuthenticatedClient
from holdfast_client.api.jobs import jobs_job
from holdfast_client.models import ErrorBody, JobStatus, JobView

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


def ended_job(job_id: int, client: AuthenticatedClient) -> JobView:
    """Waits for a job of any kind. Ends the program unless the job did its work."""
    while True:
        job = good(jobs_job.sync(job_id, client=client)).job
        if job.status == JobStatus.COMPLETED:
            return job
        if job.completed_at is not None:
            raise SystemExit(f"Job {job_id} is {job.status}: {job.error_message}")
        time.sleep(0.2)


base_url = os.environ.get("HOLDFAST_URL", "http://127.0.0.1:8081")
username = os.environ.get("HOLDFAST_USER", "admin")
password = secret("HOLDFAST_PASSWORD_FILE")
passphrase = secret("HOLDFAST_PASSPHRASE_FILE")
