/** How long a run waits for anything, milliseconds unless the name says otherwise. */
export interface Limits {
  readonly start: number
  /** One request. A later answer counts as none. */
  readonly answer: number
  /** Setting up one scene. */
  readonly scene: number
  /** Verifying the history once. */
  readonly history: number
  readonly stop: number
  /** Unanswered requests after which an operation is left out. */
  readonly maxUnansweredOfOperation: number
  /** Unanswered requests after which the run ends. */
  readonly maxUnanswered: number
}

export const limits: Limits = {
  start: 300_000,
  answer: 20_000,
  scene: 120_000,
  history: 600_000,
  stop: 60_000,
  maxUnansweredOfOperation: 3,
  maxUnanswered: 20,
}
