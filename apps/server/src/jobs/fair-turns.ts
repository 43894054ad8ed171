/** A job that waits for a worker. */
export interface WaitingJob {
  readonly organizationId: string
  readonly jobId: string
  readonly createdAt: number
}

/** Share of an organization: jobs at workers now, and start of its last job. */
export interface Served {
  readonly withWorkers: number
  readonly lastBegan: number
}

const NOTHING: Served = { withWorkers: 0, lastBegan: 0 }

/**
 * Fair scheduling. Chooses the waiting organization with the fewest jobs at workers; on a tie, the
 * one idle longest since its last job start. Within an organization the oldest job goes first. A
 * burst of fifty studies therefore delays only its own organization.
 *
 * @param waiting in submission order within each organization
 * @param served by organization; missing if it has run no job yet
 * @param places number of free slots
 */
export function chooseTurns(
  waiting: readonly WaitingJob[],
  served: ReadonlyMap<string, Served>,
  places: number,
): WaitingJob[] {
  const queues = Map.groupBy(waiting, ({ organizationId }) => organizationId)
  const state = new Map(served)
  const turns: WaitingJob[] = []
  while (turns.length < places && queues.size > 0) {
    const heads = [...queues].flatMap(([organizationId, [job]]) => {
      const { withWorkers, lastBegan } = state.get(organizationId) ?? NOTHING
      return job ? [{ job, withWorkers, lastBegan }] : []
    })
    const [first] = heads.sort(
      (a, b) =>
        a.withWorkers - b.withWorkers ||
        a.lastBegan - b.lastBegan ||
        a.job.createdAt - b.job.createdAt ||
        (a.job.jobId < b.job.jobId ? -1 : 1),
    )
    if (!first) break
    const { job, withWorkers } = first
    turns.push(job)
    // Its next job comes after organizations that have waited longer.
    state.set(job.organizationId, {
      withWorkers: withWorkers + 1,
      lastBegan: Number.MAX_SAFE_INTEGER - places + turns.length,
    })
    const rest = queues.get(job.organizationId)?.slice(1) ?? []
    if (rest.length > 0) queues.set(job.organizationId, rest)
    else queues.delete(job.organizationId)
  }
  return turns
}
