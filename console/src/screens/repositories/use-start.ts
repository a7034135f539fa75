import { useLocation } from 'wouter-preact';
import { announce } from '../../ui/announce.js';

/** Shows a job as soon as it is accepted, and says so. */
export function useStart() {
  const [, navigate] = useLocation();
  return async (job: Promise<{ job_id: number }>, said: string) => {
    const { job_id } = await job;
    announce(said);
    navigate(`/activity/${job_id}`);
  };
}
