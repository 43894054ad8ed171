import { describe, expect, it } from 'vitest'
import { limits } from './limits.ts'
import { type Requester, ThreadTurns } from './thread-turns.ts'

const awaited = (organizationId: string): Requester => ({ organizationId, isAwaited: true })

/** Tasks that end when they are told to, and the order in which they began. */
function bench({ places, reserved }: { places: number; reserved: number }) {
  const turns = new ThreadTurns({ places, reserved })
  const began: string[] = []
  const running = new Map<string, () => void>()
  const run = (name: string, requester: Requester, signal?: AbortSignal) =>
    turns.take(
      requester,
      () => {
        began.push(name)
        return new Promise<string>((end) => running.set(name, () => end(name)))
      },
      signal,
    )
  const end = async (name: string) => {
    running.get(name)?.()
    await new Promise(setImmediate)
  }
  return { run, end, began, settle: () => new Promise(setImmediate) }
}

describe('turns at the threads', () => {
  it('serve organizations in turn, for any number of their requests', async () => {
    const { run, end, began, settle } = bench({ places: 1, reserved: 0 })
    const all = [
      ...['a0', 'a1', 'a2'].map((name) => run(name, awaited('a'))),
      ...['b0', 'b1'].map((name) => run(name, awaited('b'))),
    ]
    await settle()
    for (const name of ['a0', 'a1', 'b0', 'a2', 'b1']) await end(name)
    expect(began).toEqual(['a0', 'a1', 'b0', 'a2', 'b1'])
    expect(await Promise.all(all)).toEqual(['a0', 'a1', 'a2', 'b0', 'b1'])
  })

  it('keep slots for organizations without running work', async () => {
    const { run, end, began, settle } = bench({ places: 1, reserved: 1 })
    const all = ['a0', 'a1'].map((name) => run(name, awaited('a')))
    await settle()
    expect(began).toEqual(['a0'])
    all.push(...['b0', 'b1'].map((name) => run(name, awaited('b'))))
    await settle()
    expect(began).toEqual(['a0', 'b0'])
    for (const name of ['a0', 'a1', 'b0', 'b1']) await end(name)
    expect(await Promise.all(all)).toHaveLength(4)
  })

  it('reject an organization with too many requests, with a retry time, and no other', async () => {
    const { run, end, settle } = bench({ places: 1, reserved: 0 })
    const names = Array.from({ length: limits.computingRequestsPerOrganization }, (_, n) => `a${n}`)
    const requesters = names.map(() => awaited('a'))
    const all = names.map((name, n) => run(name, requesters[n]!))
    await expect(run('more', awaited('a'))).rejects.toMatchObject({
      code: 'LIQUIDITY_RATE_LIMITED',
      detail: { retryAfterSeconds: limits.computingRetrySeconds },
    })
    // Neither a second task of a request that was let in, nor a job, nor another organization.
    all.push(run('second', requesters[0]!))
    all.push(run('job', { organizationId: 'a', isAwaited: false }), run('b0', awaited('b')))
    await settle()
    for (const name of [...names, 'second', 'job', 'b0']) await end(name)
    for (const name of [...names, 'second', 'job', 'b0']) await end(name)
    expect(await Promise.all(all)).toHaveLength(names.length + 3)
    const later = run('later', awaited('a'))
    await settle()
    await end('later')
    expect(await later).toBe('later')
  })

  it('are not taken by work that was stopped while it waited', async () => {
    const { run, end, began, settle } = bench({ places: 1, reserved: 0 })
    const stop = new AbortController()
    const first = run('a0', awaited('a'))
    const stopped = run('a1', awaited('a'), stop.signal)
    const third = run('a2', awaited('a'))
    await settle()
    stop.abort()
    await expect(stopped).rejects.toThrow(/abort/i)
    await end('a0')
    await end('a2')
    expect(began).toEqual(['a0', 'a2'])
    expect(await Promise.all([first, third])).toEqual(['a0', 'a2'])
  })
})
