/** A job that waits for a worker. */
export interface WaitingJob {
  readonly organizationId: string
  readonly jobId: string
  readonly createdAt: number
}

/** Share of an organization: its running jobs, and the start of its last job. */
export interface Served {
  readonly runningJobs: number
  readonly lastStartedAt: number
}

const NOTHING: Served = { runningJobs: 0, lastStartedAt: 0 }

/**
 * Fair scheduling. Chooses the waiting organization with the fewest running jobs; on a tie, the
 * one idle longest since its last job start. Within an organization the oldest job goes first. A
 * burst of fifty studies therefore delays only its own organization.
 *
 * @param waiting in submission order within each organization
 * @param served by organization; missing if it has run no job yet
 * @param freeSlots number of jobs to choose
 */
export function chooseTurns(
  waiting: readonly WaitingJob[],
  served: ReadonlyMap<string, Served>,
  freeSlots: number,
): WaitingJob[] {
  const queues = Map.groupBy(waiting, ({ organizationId }) => organizationId)
  const state = new Map(served)
  const turns: WaitingJob[] = []
  while (turns.length < freeSlots && queues.size > 0) {
    const heads = [...queues].flatMap(([organizationId, [job]]) => {
      const { runningJobs, lastStartedAt } = state.get(organizationId) ?? NOTHING
      return job ? [{ job, runningJobs, lastStartedAt }] : []
    })
    const [first] = heads.sort(
      (a, b) =>
        a.runningJobs - b.runningJobs ||
        a.lastStartedAt - b.lastStartedAt ||
        a.job.createdAt - b.job.createdAt ||
        (a.job.jobId < b.job.jobId ? -1 : 1),
    )
    if (!first) break
    const { job, runningJobs } = first
    turns.push(job)
    // Its next job comes after organizations that have waited longer.
    state.set(job.organizationId, {
      runningJobs: runningJobs + 1,
      lastStartedAt: Number.MAX_SAFE_INTEGER - freeSlots + turns.length,
    })
    const rest = queues.get(job.organizationId)?.slice(1) ?? []
    if (rest.length > 0) queues.set(job.organizationId, rest)
    else queues.delete(job.organizationId)
  }
  return turns
}
