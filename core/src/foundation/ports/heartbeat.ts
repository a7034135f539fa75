/** Asks the address of a monitor that alerts when it is not asked any more. */
export interface Heartbeat {
  /** `problem`: why not everything is protected; null when it is. Rejects when the monitor did not accept it. */
  beat(problem: string | null): Promise<void>;
}
