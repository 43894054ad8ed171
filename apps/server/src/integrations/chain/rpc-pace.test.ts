import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { LearnedLimits } from '../../store/node-calls/node-calls.ts'
import { DayQuota, dayOf, type ReadPurpose } from './day-quota.ts'
import { namedLogBlocks } from './log-width.ts'
import { RpcPace } from './rpc-pace.ts'
import { steppedClock, virtualPace } from './testing/virtual-pace.ts'
import { WaitBudget } from './wait-budget.ts'

type Pace = ReturnType<typeof virtualPace>['pace']

/** Requests over as many blocks as the pace allows. */
const pass = (pace: Pace, count: number) => {
  for (let time = 0; time < count; time += 1) {
    pace.passLogBlocks(pace.nextLogBlocks().blocks ?? 0)
    pace.releaseLogBlocks()
  }
}

describe('the blocks of a log request', () => {
  it('are half of a refused number, and double after requests up to that number', () => {
    const { pace } = virtualPace()
    expect(pace.logBlocks).toBeNull()
    pace.refuseLogBlocks(2000)
    pace.refuseLogBlocks(1000)
    expect(pace.logBlocks).toBe(500)
    pass(pace, 64)
    expect(pace.logBlocks).toBe(500)
    pass(pace, 1)
    expect(pace.logBlocks).toBe(1000)
    pass(pace, 2)
    expect(pace.logBlocks).toBe(1000)
    pass(pace, 1)
    expect(pace.logBlocks).toBe(2000)
  })

  it('are tried by one request while others keep the number that passed', () => {
    const { pace } = virtualPace()
    pace.refuseLogBlocks(4000)
    pace.refuseLogBlocks(1000)
    for (let time = 0; time < 64; time += 1) pace.passLogBlocks(500)
    expect(pace.nextLogBlocks()).toEqual({ blocks: 1000, isTrial: true })
    expect(pace.nextLogBlocks()).toEqual({ blocks: 500, isTrial: false })
    pace.releaseLogBlocks()
    expect(pace.nextLogBlocks()).toEqual({ blocks: 1000, isTrial: true })
    pace.refuseLogBlocks(1000)
    expect(pace.nextLogBlocks()).toEqual({ blocks: 500, isTrial: false })
  })

  it('are the number that a refusal names, if it is smaller', () => {
    const { pace } = virtualPace()
    pace.refuseLogBlocks(1000, 300)
    expect(pace.logBlocks).toBe(300)
    pace.refuseLogBlocks(300, 5000)
    expect(pace.logBlocks).toBe(150)
  })

  it.each([
    ['eth_getLogs is limited to a 500 blocks range', 500],
    ['requested too many blocks from 100 to 3100, maximum is set to 2048', 2048],
    ['eth_getLogs range is too large, max is 1k blocks', 1000],
    ['limited to 2,000 blocks', 2000],
    ['query returned more than 10000 results', null],
    ['code -32005 for 0x12ab', null],
    ['block range is too wide', null],
  ])('are read from %j', (text, named) => {
    expect(namedLogBlocks(text.replace('-32005', ''), 3001)).toBe(named)
  })

  it('are at most the configured number', () => {
    const { pace } = virtualPace({ configured: { logBlocks: 800 } })
    expect(pace.nextLogBlocks().blocks).toBe(800)
    pace.refuseLogBlocks(800)
    pass(pace, 64 + 1)
    expect([pace.logBlocks, pace.learnedLogBlocks]).toEqual([800, 800])
    pass(pace, 3)
    expect(pace.logBlocks).toBe(800)
  })

  it('do not grow with requests of fewer blocks', () => {
    const { pace } = virtualPace()
    pace.refuseLogBlocks(1000)
    for (let time = 0; time < 100; time += 1) pace.passLogBlocks(499)
    expect(pace.logBlocks).toBe(500)
  })

  it('return to an earlier limit after the refusal of a single block', () => {
    const { pace } = virtualPace()
    pace.refuseLogBlocks(2)
    pace.resetLogBlocks(null)
    expect([pace.logBlocks, pace.learned]).toEqual([null, {}])
    pace.refuseLogBlocks(1000)
    pace.refuseLogBlocks(2)
    pace.resetLogBlocks(500)
    expect([pace.logBlocks, pace.learned.logBlocks?.value]).toEqual([500, 500])
  })

  it('are not raised by a late refusal of an earlier, larger number', () => {
    const { pace } = virtualPace()
    pace.refuseLogBlocks(500)
    pace.refuseLogBlocks(8000)
    pace.refuseLogBlocks(8000, 2000)
    expect(pace.logBlocks).toBe(250)
  })

  it('are the number that the refusal of a trial names', () => {
    const { pace } = virtualPace()
    pace.refuseLogBlocks(1000)
    pass(pace, 64)
    expect(pace.nextLogBlocks()).toEqual({ blocks: 1000, isTrial: true })
    pace.refuseLogBlocks(8000)
    expect(pace.nextLogBlocks()).toEqual({ blocks: 500, isTrial: false })
    pace.refuseLogBlocks(1000, 800)
    expect(pace.logBlocks).toBe(800)
  })

  it('grow to the limit of the configuration and of the reader', () => {
    const configured = virtualPace({ configured: { logBlocks: 800 } }).pace
    configured.refuseLogBlocks(1000)
    pass(configured, 65)
    expect(configured.learnedLogBlocks).toBe(800)
    pass(configured, 65)
    expect(configured.nextLogBlocks()).toEqual({ blocks: 800, isTrial: false })
    const { pace } = virtualPace()
    pace.refuseLogBlocks(1000)
    pass(pace, 64)
    expect(pace.nextLogBlocks(400)).toEqual({ blocks: 500, isTrial: false })
    expect(pace.nextLogBlocks(700)).toEqual({ blocks: 700, isTrial: true })
    pace.passLogBlocks(700)
    expect(pace.logBlocks).toBe(700)
  })

  it('are at least one', () => {
    const { pace } = virtualPace()
    pace.refuseLogBlocks(1)
    expect(pace.logBlocks).toBe(1)
  })
})

describe('learned limits', () => {
  it('are reported when they change, and continue in the next process', () => {
    const [first, next] = [virtualPace(), virtualPace()]
    const reports: LearnedLimits[] = []
    first.pace.restore({}, (learned) => reports.push(learned))
    first.pace.learnBatch(3)
    first.pace.refuseLogBlocks(100)
    const at = Date.parse('2026-01-05T12:00:00Z')
    expect(reports.at(-1)).toEqual({
      callsPerRequest: { value: 3, at },
      logBlocks: { value: 50, at },
    })
    next.pace.restore({ ...reports.at(-1), callsPerSecond: { value: 5, at } }, () => {})
    expect([next.pace.batchCalls, next.pace.logBlocks, next.pace.rate]).toEqual([3, 50, 5])
    // The hour until the next larger batch counts from the time of the refusal.
    next.advance(3_600_000)
    for (let time = 0; time < 500; time += 1) next.pace.passBatch()
    // The restored rate is lower than twice the batch.
    expect(next.pace.tryLargerBatch()).toBe(5)
    next.pace.endLargerBatch(5, 'PASSED')
    expect([next.pace.batchCalls, next.pace.tryLargerBatch()]).toEqual([5, null])
  })

  it('of this process outweigh stored ones', () => {
    const { pace } = virtualPace()
    pace.learnBatch(3)
    pace.restore({ callsPerRequest: { value: 1, at: 0 } }, () => {})
    expect(pace.batchCalls).toBe(3)
  })
})

it('a wait budget that responses refill bounds the time without a response only', () => {
  const budget = new WaitBudget(1000, undefined, true)
  expect(budget.reserve(0, 800)).toBe(true)
  expect(budget.reserve(800, 800)).toBe(false)
  budget.answered()
  expect(budget.reserve(800, 800)).toBe(true)
  const total = new WaitBudget(1000)
  expect(total.reserve(0, 800)).toBe(true)
  total.answered()
  expect(total.reserve(800, 800)).toBe(false)
})

describe('a larger batch', () => {
  const grown = () => {
    const virtual = virtualPace()
    virtual.pace.learnBatch(10)
    for (let time = 0; time < 500; time += 1) virtual.pace.passBatch()
    return virtual
  }

  it('is tried by one request, an hour after a refusal', () => {
    const { pace, advance } = grown()
    expect(pace.tryLargerBatch()).toBeNull()
    advance(3_600_000)
    expect([pace.tryLargerBatch(), pace.tryLargerBatch()]).toEqual([20, null])
    pace.endLargerBatch(20, 'NOT_SENT')
    expect(pace.tryLargerBatch()).toBe(20)
    pace.endLargerBatch(20, 'FAILED')
    for (let time = 0; time < 500; time += 1) pace.passBatch()
    expect([pace.batchCalls, pace.tryLargerBatch()]).toEqual([10, null])
    advance(3_600_000)
    expect(pace.tryLargerBatch()).toBe(20)
    pace.endLargerBatch(20, 'PASSED')
    expect([pace.batchCalls, pace.learned.callsPerRequest?.value]).toEqual([20, 20])
  })
})

const settled = (promise: Promise<void>) => {
  const seen: { state: 'PENDING' | 'RESOLVED' | 'REJECTED'; error: unknown } = {
    state: 'PENDING',
    error: null,
  }
  promise.then(
    () => {
      seen.state = 'RESOLVED'
    },
    (error: unknown) => {
      seen.state = 'REJECTED'
      seen.error = error
    },
  )
  return seen
}

const calls = (count: number) => Array.from({ length: count }, () => 'eth_call')

describe('a configured limit', () => {
  it('of the rate holds from the first call, and refuses a caller without time', async () => {
    const { pace, waits, clock } = virtualPace({ configured: { requestsPerSecond: 5 } })
    const from = clock.now()
    for (let time = 0; time < 20; time += 1) await pace.enter(calls(5), new WaitBudget(60_000))
    expect(clock.now() - from).toBe(19_000)
    expect(waits).toHaveLength(19)
    await expect(pace.enter(calls(5), new WaitBudget(100))).rejects.toMatchObject({ delayMs: 1000 })
  })

  it('of the rate holds for concurrent callers', async () => {
    const { clock, advance } = steppedClock()
    const pace = new RpcPace({ configured: { requestsPerSecond: 5 }, clock })
    let sent = 0
    for (let time = 0; time < 20; time += 1)
      void pace.enter(calls(5), new WaitBudget(60_000)).then(() => {
        sent += 5
      })
    await advance(0)
    expect(sent).toBe(5)
    await advance(2000)
    expect(sent).toBe(15)
  })

  it('of concurrent requests makes further ones wait for an end', async () => {
    const { clock } = steppedClock()
    const pace = new RpcPace({ configured: { concurrency: 2 }, clock })
    const begun: number[] = []
    const request = async (index: number) => {
      await pace.enter(['eth_call'], new WaitBudget(1000))
      begun.push(index)
    }
    const requests = [0, 1, 2, 3].map(request)
    await Promise.all(requests.slice(0, 2))
    expect(begun).toEqual([0, 1])
    pace.leave()
    await requests[2]
    pace.leave()
    await requests[3]
    expect(begun).toEqual([0, 1, 2, 3])
  })
})

describe('a single concurrent request', () => {
  const single = () => {
    const { clock, advance, timers } = steppedClock()
    const pace = new RpcPace({ configured: { concurrency: 1 }, clock })
    return { pace, clock, advance, timers }
  }

  it('is free while a job waits for a pause', async () => {
    const { pace, advance } = single()
    pace.pause(55_000, false)
    const job = settled(pace.enter(['eth_call'], new WaitBudget(60_000), 'JOB'))
    const request = settled(pace.enter(['eth_call'], new WaitBudget(8000)))
    await advance(0)
    expect([job.state, request.state]).toEqual(['PENDING', 'REJECTED'])
    expect(request.error).toMatchObject({ delayMs: 55_000 })
    await advance(55_000)
    expect(job.state).toBe('RESOLVED')
  })

  it('is awaited for as long as the budget lasts', async () => {
    const { pace, advance, timers } = single()
    await pace.enter(['eth_call'], new WaitBudget(0))
    const budget = new WaitBudget(8000)
    const [first, second] = [0, 1].map(() => settled(pace.enter(['eth_call'], budget)))
    const other = settled(pace.enter(['eth_call'], new WaitBudget(60_000)))
    await advance(5000)
    pace.leave()
    await advance(2999)
    expect([first?.state, second?.state]).toEqual(['RESOLVED', 'PENDING'])
    await advance(1)
    expect(second?.error).toMatchObject({ delayMs: 5000, pauseCause: null })
    // The wait of the caller that gave up does not take the next turn.
    pace.leave()
    await advance(0)
    expect([other.state, timers.size]).toEqual(['RESOLVED', 0])
    pace.leave()
    await pace.enter(['eth_call'], new WaitBudget(0))
  })

  it('is not awaited by a caller that stops', async () => {
    const { pace, advance } = single()
    await pace.enter(['eth_call'], new WaitBudget(0))
    const stop = new AbortController()
    const stopped = settled(pace.enter(['eth_call'], new WaitBudget(8000, stop.signal)))
    const next = settled(pace.enter(['eth_call'], new WaitBudget(8000)))
    await advance(1000)
    stop.abort()
    await advance(0)
    expect([stopped.state, next.state]).toEqual(['REJECTED', 'PENDING'])
    const late = settled(pace.enter(['eth_call'], new WaitBudget(8000, stop.signal)))
    pace.leave()
    await advance(0)
    expect([late.state, next.state]).toEqual(['REJECTED', 'RESOLVED'])
  })
})

describe('tokens that two processes share', () => {
  it('give both together the configured rate', async () => {
    const timers: { at: number; end: () => void }[] = []
    let now = 0
    const wait = (milliseconds: number) =>
      new Promise<void>((end) => timers.push({ at: now + milliseconds, end }))
    const clock = { now: () => now, wait, random: () => 1 }
    let reservedUntil = 0
    const reserve = async (milliseconds: number, at: number) => {
      const from = Math.max(reservedUntil, at)
      reservedUntil = from + milliseconds
      return from
    }
    const configured = { requestsPerSecond: 10 }
    const counts = [0, 0]
    const run = async (index: number) => {
      const pace = new RpcPace({ configured, reserve, clock })
      for (;;) {
        await pace.enter(calls(2), new WaitBudget(600_000))
        pace.leave()
        counts[index] = (counts[index] ?? 0) + 2
      }
    }
    for (const index of [0, 1]) void run(index)
    while (now < 60_000) {
      await nextTurn()
      timers.sort((one, other) => one.at - other.at)
      const next = timers.shift()
      if (!next) throw new Error('No process waits.')
      now = next.at
      next.end()
    }
    const [first = 0, second = 0] = counts
    expect((first + second) / 60).toBeLessThanOrEqual(10.4)
    expect((first + second) / 60).toBeGreaterThan(9)
    expect(Math.min(first, second)).toBeGreaterThan(200)
  })

  it('are counted in the process while the database is away', async () => {
    const { pace, waits } = virtualPace({
      configured: { requestsPerSecond: 2 },
      reserve: () => Promise.reject(new Error('away')),
    })
    for (let time = 0; time < 3; time += 1) await pace.enter(calls(2), new WaitBudget(60_000))
    expect(waits).toEqual([1000, 1000])
  })
})

/** Calls per second that a node answers in a minute. It gains one call each 100 ms, up to 10. */
async function answeredOfBucket(pauseMilliseconds: number): Promise<number> {
  const { pace, clock, advance } = virtualPace()
  const began = clock.now()
  let [allowed, gainedAt, answered] = [10, began, 0]
  while (clock.now() < began + 60_000) {
    await pace.enter(['eth_call'], new WaitBudget(60_000))
    advance(20)
    const gained = (clock.now() - gainedAt) / 100
    ;[allowed, gainedAt] = [Math.min(10, allowed + gained), clock.now()]
    pace.leave()
    if (allowed < 1) {
      pace.pause(pauseMilliseconds, true)
      continue
    }
    allowed -= 1
    answered += 1
    pace.answered(1)
  }
  return answered / 60
}

it.each([0, 100, 400, 1000])('a learned rate fits a node with pauses of %i ms', async (pause) => {
  expect(await answeredOfBucket(pause)).toBeGreaterThan(9)
})

/** Counts calls as a pace does that sends them at once. */
const charge = async (quota: DayQuota, methods: readonly string[], purpose: ReadPurpose) => {
  await quota.check(methods, purpose)
  quota.charge(methods, purpose)
}

describe('the credits of a day', () => {
  it('count only calls that are sent', async () => {
    const { clock, advance } = steppedClock()
    const add = async (day: number, credits: number) => ({ day, credits })
    const quota = new DayQuota({ creditsPerDay: 1000, credits: {} }, add, clock.now)
    const pace = new RpcPace({ configured: { concurrency: 1 }, clock, quota })
    pace.pause(10_000, false)
    await expect(pace.enter(calls(100), new WaitBudget(8000))).rejects.toThrow()
    const sent = settled(pace.enter(calls(7), new WaitBudget(60_000)))
    const waiting = settled(pace.enter(calls(50), new WaitBudget(60_000)))
    await advance(5000)
    expect(quota.used).toBe(0)
    await advance(5000)
    expect([sent.state, waiting.state, quota.used]).toEqual(['RESOLVED', 'PENDING', 7])
    pace.leave()
    await advance(0)
    expect([waiting.state, quota.used]).toEqual(['RESOLVED', 57])
  })

  it('follow the day of the database', async () => {
    const { clock, advance } = virtualPace()
    const day = dayOf(clock.now())
    let ahead = 1
    const add = async (own: number) => ({ day: own + ahead, credits: 1000 })
    const quota = new DayQuota(terms, add, clock.now)
    // This clock is behind, and reaches midnight later.
    await expect(quota.check(['eth_call'], 'JOB')).rejects.toMatchObject({ delayMs: 86_400_000 })
    advance(43_200_000)
    ahead = 0
    expect(dayOf(clock.now())).toBe(day + 1)
    await expect(quota.check(['eth_call'], 'JOB')).rejects.toMatchObject({ delayMs: 86_400_000 })
    // This clock is ahead: the day of the database ends soon.
    advance(86_400_000)
    ahead = -1
    await expect(quota.check(['eth_call'], 'JOB')).rejects.toMatchObject({ delayMs: 10_000 })
  })

  const terms = { creditsPerDay: 1000, credits: { eth_getLogs: 75, default: 10 } }

  it('end jobs at 95 %, requests at 100 %, and probes never', async () => {
    const { clock, advance } = virtualPace()
    const stored = new Map<number, number>()
    const add = async (day: number, credits: number) => {
      stored.set(day, (stored.get(day) ?? 0) + credits)
      return { day, credits: stored.get(day) ?? 0 }
    }
    const quota = new DayQuota(terms, add, clock.now)
    for (let time = 0; time < 95; time += 1) await charge(quota, ['eth_call'], 'JOB')
    const untilMidnight = { delayMs: 43_200_000, pauseCause: { isQuota: true } }
    await expect(charge(quota, ['eth_call'], 'JOB')).rejects.toMatchObject(untilMidnight)
    await expect(charge(quota, ['eth_getLogs'], 'REQUEST')).rejects.toMatchObject(untilMidnight)
    for (let time = 0; time < 5; time += 1) await charge(quota, ['eth_call'], 'REQUEST')
    await expect(charge(quota, ['eth_call'], 'REQUEST')).rejects.toMatchObject(untilMidnight)
    await charge(quota, ['eth_call', 'eth_getLogs'], 'PROBE')
    expect(quota.used).toBe(1085)
    advance(43_200_000)
    expect(quota.used).toBe(0)
    await charge(quota, ['eth_call'], 'JOB')
  })

  it('include those of other processes, within 10 s', async () => {
    const { clock, advance } = virtualPace()
    let others = 0
    const quota = new DayQuota(
      terms,
      async (day, credits) => ({ day, credits: others + credits }),
      clock.now,
    )
    await charge(quota, ['eth_call'], 'JOB')
    others = 2000
    advance(10_001)
    await expect(charge(quota, ['eth_call'], 'JOB')).rejects.toThrow()
  })

  it('are counted in the process while the database is away', async () => {
    const { clock } = virtualPace()
    const away = () => Promise.reject(new Error('away'))
    const quota = new DayQuota(terms, away, clock.now)
    for (let time = 0; time < 95; time += 1) await charge(quota, ['eth_call'], 'JOB')
    await expect(charge(quota, ['eth_call'], 'JOB')).rejects.toThrow()
  })
})
