import { expect, it, onTestFinished } from 'vitest'
import { Threads } from './threads.ts'
import { minuteMilliseconds } from './units.ts'

const blocking = new URL('./testing/blocking-task.ts', import.meta.url)

it('continue with waiting work after all running work was stopped', async () => {
  const threads = new Threads({ count: 2, niceness: 0 })
  onTestFinished(() => threads.close())
  const stop = new AbortController()
  // As long as one thread is busy the other has to begin.
  await Promise.all([500, 500].map((milliseconds) => threads.run(blocking, { milliseconds })))
  const stopped = [1, 2].map(() =>
    threads.run(blocking, { milliseconds: minuteMilliseconds }, stop.signal),
  )
  const waiting = threads.run<number>(blocking, { milliseconds: 3 })
  // They are handed to their threads in the turn that ends here.
  await new Promise(setImmediate)
  stop.abort()
  await Promise.all(stopped.map((task) => expect(task).rejects.toThrow(/abort/i)))
  expect(await waiting).toBe(3)
})
