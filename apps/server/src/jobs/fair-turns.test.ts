import { describe, expect, it } from 'vitest'
import { chooseTurns, type Served, type WaitingJob } from './fair-turns.ts'

const waiting = (organizationId: string, count: number, from = 0): WaitingJob[] =>
  Array.from({ length: count }, (_, index) => ({
    organizationId,
    jobId: `${organizationId}${index}`,
    createdAt: from + index,
  }))
const ids = (jobs: readonly WaitingJob[]) => jobs.map(({ jobId }) => jobId)

describe('order of organizations', () => {
  it('goes round the organizations, the oldest job of each first', () => {
    const all = [...waiting('a', 5), ...waiting('b', 2, 100), ...waiting('c', 1, 200)]
    expect(ids(chooseTurns(all, new Map(), 8))).toEqual([
      'a0',
      'b0',
      'c0',
      'a1',
      'b1',
      'a2',
      'a3',
      'a4',
    ])
  })

  it('favors organizations without a running job, for any waiting time of the others', () => {
    const served = new Map<string, Served>([
      ['a', { runningJobs: 2, lastStartedAt: 1 }],
      ['b', { runningJobs: 0, lastStartedAt: 9 }],
    ])
    expect(ids(chooseTurns([...waiting('a', 3), ...waiting('b', 2, 50)], served, 3))).toEqual([
      'b0',
      'b1',
      'a0',
    ])
  })

  it('alternates on a single place, as each job ends and the next begins', () => {
    const waitingJobs = new Map([
      ['a', waiting('a', 3)],
      ['b', waiting('b', 3, 100)],
    ])
    const began = new Map<string, Served>()
    const order: string[] = []
    for (let now = 1; now <= 6; now += 1) {
      const [job] = chooseTurns([...waitingJobs.values()].flat(), began, 1)
      order.push(job!.jobId)
      waitingJobs.set(job!.organizationId, waitingJobs.get(job!.organizationId)!.slice(1))
      began.set(job!.organizationId, { runningJobs: 0, lastStartedAt: now })
    }
    expect(order).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2'])
  })

  it('is empty without capacity or without a job', () => {
    expect(chooseTurns(waiting('a', 3), new Map(), 0)).toEqual([])
    expect(chooseTurns([], new Map(), 3)).toEqual([])
  })
})
