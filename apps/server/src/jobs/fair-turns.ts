/** A job that waits for a worker. */
export interface WaitingJob {
  readonly organizationId: string
  readonly jobId: string
  readonly createdAt: number
}

/** What an organization has had: jobs that are with workers now, and when the last one began. */
export interface Served {
  readonly withWorkers: number
  readonly lastBegan: number
}

const NOTHING: Served = { withWorkers: 0, lastBegan: 0 }

/**
 * The jobs whose turn it is: of the organizations that wait, the one with the fewest jobs at workers; of
 * those, the one that has waited longest since one of its jobs began. Inside an organization the oldest first.
 * So whoever asks for fifty studies at once waits for their fifty, and nobody else does.
 *
 * @param waiting of each organization in the order in which its jobs were asked for
 * @param served  by organization; missing for one that had nothing yet
 * @param places  how many turns there are
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
    // Its next one comes after whoever has waited longer.
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
