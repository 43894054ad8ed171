import { expect, it } from 'vitest'
import { fetchInLine, UpstreamBusyError, UpstreamLine } from './upstream.ts'

const held = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, release: resolve }
}

it('admits a fixed number at once, the others in turn, and rejects requests if the queue is full', async () => {
  const line = new UpstreamLine({ atOnce: 2, waiting: 1, waitMilliseconds: 60_000 })
  const [first, second] = [held(), held()]
  const order: string[] = []
  const run = (name: string, until: Promise<void>) =>
    line.run(async () => {
      order.push(name)
      await until
    })
  const running = [run('a', first.promise), run('b', second.promise), run('c', Promise.resolve())]
  await expect(run('d', Promise.resolve())).rejects.toBeInstanceOf(UpstreamBusyError)
  expect(order).toEqual(['a', 'b'])
  first.release()
  await running[2]
  expect(order).toEqual(['a', 'b', 'c'])
  second.release()
  await Promise.all(running)
  await run('e', Promise.resolve())
  expect(order).toEqual(['a', 'b', 'c', 'e'])
})

it('rejects a request that waited too long, and the queue stays intact', async () => {
  const line = new UpstreamLine({ atOnce: 1, waiting: 4, waitMilliseconds: 1 })
  const first = held()
  const running = line.run(() => first.promise)
  await expect(line.run(async () => {})).rejects.toBeInstanceOf(UpstreamBusyError)
  first.release()
  await running
  expect(await line.run(async () => 7)).toBe(7)
})

it('tries once more where there was no answer or one of a fault, and no third time', async () => {
  const line = new UpstreamLine({ atOnce: 1, waiting: 1, waitMilliseconds: 1 })
  const answers = (statuses: (number | null)[]) => {
    let requestCount = 0
    const request = async () => {
      const status = statuses[requestCount]
      requestCount += 1
      if (status === null || status === undefined) throw new Error('no answer')
      return { status, headers: {}, body: new TextEncoder().encode('{}') }
    }
    const trouble = { isBusy: false }
    const { signal } = new AbortController()
    const send = fetchInLine({ request }, line, { timeoutMilliseconds: 1, trouble, signal })
    return { send: () => send('https://node.example'), countRequests: () => requestCount, trouble }
  }
  for (const [statuses, status] of [
    [[200], 200],
    [[null, 200], 200],
    [[502, 200], 200],
    [[502, 503], 503],
    [[404], 404],
  ] as const) {
    const { send, countRequests } = answers([...statuses])
    expect((await send()).status).toBe(status)
    expect(countRequests()).toBe(statuses.length)
  }
  const dead = answers([null, null, 200])
  await expect(dead.send()).rejects.toThrow('no answer')
  expect([dead.countRequests(), dead.trouble.isBusy]).toEqual([2, false])
})
