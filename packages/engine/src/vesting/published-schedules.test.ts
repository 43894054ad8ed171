import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { freedByDay, totalOfEvents, type UnlockEvent } from './unlock-events.ts'

interface Published {
  readonly totalScheduled: number
  readonly sources: readonly string[]
  readonly allocations: readonly {
    readonly name: string
    readonly events: readonly PublishedEvent[]
  }[]
}
interface PublishedEvent {
  readonly type: 'cliff' | 'linear' | 'step'
  readonly start: number
  readonly amount: number
  readonly end?: number
  readonly steps?: number
  readonly stepDurationSeconds?: number
}

const folder = new URL('../../../../datasets/token-unlocks/', import.meta.url)
const names = readdirSync(folder).filter((name) => name.endsWith('.json'))

/** Whole tokens as they are written, in atoms of 18 decimals. */
function atoms(amount: number): bigint {
  const [whole = '0', part = ''] = `${amount}`.split('.')
  return BigInt(whole) * 10n ** 18n + BigInt(part.padEnd(18, '0').slice(0, 18))
}

function eventOf({
  type,
  start,
  amount,
  end,
  steps,
  stepDurationSeconds,
}: PublishedEvent): UnlockEvent {
  if (type === 'cliff') return { kind: 'CLIFF', at: start, amount: atoms(amount) }
  if (type === 'step') {
    const stepSeconds = stepDurationSeconds ?? 0
    return { kind: 'STEPS', from: start, stepSeconds, steps: steps ?? 0, amount: atoms(amount) }
  }
  return {
    kind: 'LINEAR',
    total: atoms(amount),
    initial: 0n,
    startAt: start,
    endAt: end ?? start,
    stepSeconds: 1,
  }
}

it.each(names)('%s frees its published total, day by day, once', (name) => {
  const { totalScheduled, allocations, sources } = JSON.parse(
    readFileSync(new URL(name, folder), 'utf8'),
  ) as Published
  expect(sources.length).toBeGreaterThan(0)
  const events = allocations.flatMap((one) => one.events.map(eventOf))
  const total = totalOfEvents(events)
  // The published sum is a float: good to a millionth of a token.
  expect(Number(total - atoms(totalScheduled)) / 1e18).toBeCloseTo(0, 5)
  const begin = Math.floor(
    Math.min(...allocations.flatMap((one) => one.events.map(({ start }) => start))) / 86_400,
  )
  const freed = freedByDay(events, begin * 86_400, 6_000)
  expect(freed.reduce((sum, day) => sum + day, 0n)).toBe(total)
})
