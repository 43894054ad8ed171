/** Process metrics: requests by operation and status, job runs by kind and outcome. */
export interface Metrics {
  /** @param milliseconds from the arrival of the request to its answer */
  observe(operationId: string, status: number, milliseconds: number): void
  /** @param milliseconds of one attempt */
  observeJob(kind: string, outcome: JobOutcome, milliseconds: number): void
  /** @param milliseconds of one attempt to send an alert through a channel of this kind */
  observeMessage(channel: string, outcome: string, milliseconds: number): void
  /** Prints a witness from now on, before the first request to it. */
  beginWitness(name: string, outcomes: readonly string[]): void
  /** @param milliseconds that a witness of the proof log took to cosign a head, or to fail to */
  observeWitness(name: string, outcome: string, milliseconds: number): void
  /** @param lagSeconds time since the last success, maximum over the task's subjects */
  observeLag(task: string, lagSeconds: number): void
  /** @param fullest the organizations closest to their quota; others are no longer printed */
  observeUsage(fullest: readonly OrganizationBytes[]): void
  /** Counts a drawing of a shared study, which serves all its readers. */
  countSharedRendering(): void
  /** Everything observed, and the defaults of the process. */
  print(): Promise<string>
}

/** RETRIED is an attempt that failed and is not the last. */
export type JobOutcome = 'COMPLETED' | 'RETRIED' | 'FAILED'

/** The storage use and the quota of an organization. */
export interface OrganizationBytes {
  readonly organizationId: string
  readonly usedBytes: number
  readonly maxBytes: number
}
