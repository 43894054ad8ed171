import { extentOf, linearScale, niceDomain, niceTicks, ticksEvery } from '../scale.ts'
import { printTicks, printValue } from './numbers.ts'
import type { ChartAxis } from './spec.ts'

/** An axis with its place on the sheet. */
export interface PositionedAxis {
  readonly at: (value: number) => number
  readonly low: number
  readonly high: number
  readonly ticks: readonly { readonly value: number; readonly label: string }[]
  readonly title: string
}

export interface AxisSpace {
  readonly range: readonly [from: number, to: number]
  /** Approximate number of ticks. */
  readonly count: number
  /** The domain ends at the values, not at ticks. */
  readonly isTight?: boolean
  /** True to include zero, for an axis without its own setting. */
  readonly zero?: boolean
}

/** Scale, ticks and title of an axis over some values; without a value it runs from 0 to 1. */
export function placeAxis(
  axis: ChartAxis,
  values: readonly number[],
  space: AxisSpace,
): PositionedAxis {
  if (axis.scale === 'log') return placeLog(axis, values, space)
  return axis.scale === 'time' ? placeTime(axis, values, space) : placeLinear(axis, values, space)
}

const titled = ({ label, unit }: ChartAxis, prefix = '') =>
  [label, `${prefix}${unit}`.trim()].filter((part) => part !== '').join(', ')

function placeLinear(
  axis: ChartAxis,
  values: readonly number[],
  { range, count, isTight = false, zero = false }: AxisSpace,
): PositionedAxis {
  const extent = extentOf((axis.zero ?? zero) ? [0, ...values] : values)
  const isFlat = extent[0] === extent[1]
  const domain = isTight && !isFlat ? extent : niceDomain(extent, count)
  // The step that made the domain, so that its ends are ticks.
  const { step } = niceTicks(isFlat ? domain : extent, count)
  const places = ticksEvery(step, domain)
  const { labels, prefix } = printTicks(places, step)
  const { at, low, high } = linearScale(domain, range)
  const ticks = places.map((value, index) => ({ value, label: labels[index]! }))
  return { at, low, high, ticks, title: titled(axis, prefix) }
}

/** Twice the ratio of a flat domain, so that its value lies in the middle. */
function placeLog(
  axis: ChartAxis,
  values: readonly number[],
  { range, count }: AxisSpace,
): PositionedAxis {
  const extent = extentOf(values.filter((value) => value > 0))
  const [low, high] =
    extent[0] <= 0 ? [1, 10] : extent[0] === extent[1] ? [extent[0] / 2, extent[0] * 2] : extent
  const scale = linearScale([Math.log10(low), Math.log10(high)], range)
  const ticks = logTicks(low, high, count).map((value) => ({ value, label: printValue(value) }))
  return {
    at: (value) => scale.at(Math.log10(Math.max(value, low))),
    low,
    high,
    ticks,
    title: titled(axis),
  }
}

/** 1, 2 and 5 times the powers of ten, or only powers if the range is long. */
function logTicks(low: number, high: number, count: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  const every = Math.max(1, Math.ceil((last - first) / count))
  const powers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const within = (leads: readonly number[]) =>
    powers
      .filter((power) => (power - first) % every === 0)
      .flatMap((power) => leads.map((lead) => Number(`${lead}e${power}`)))
      .filter((value) => value >= low * 0.999 && value <= high * 1.001)
  const fine = within([1, 2, 5])
  if (fine.length <= count + 1 && fine.length > 1) return fine
  const coarse = within([1])
  return coarse.length > 1 ? coarse : [low, high]
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const steps = [
  ...[1, 5, 15, 30, minute, 5 * minute, 15 * minute, 30 * minute],
  ...[hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day],
]
const monthSteps = [1, 3, 6, 12, 24, 60, 120]
const month = 30.4 * day
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A time axis in UTC; values are seconds since 1970. */
function placeTime(
  axis: ChartAxis,
  values: readonly number[],
  { range, count }: AxisSpace,
): PositionedAxis {
  const extent = extentOf(values)
  const isFlat = extent[0] === extent[1]
  const [low, high] = isFlat ? [extent[0] - hour, extent[1] + hour] : extent
  const { at } = linearScale([low, high], range)
  const ticks = timeTicks(low, high, count)
  const title = titled({
    ...axis,
    unit: values.length === 0 ? 'UTC' : `UTC, from ${printDay(low)}`,
  })
  return { at, low, high, ticks, title }
}

function timeTicks(low: number, high: number, count: number): PositionedAxis['ticks'] {
  const rough = (high - low) / Math.max(1, count)
  const step = steps.find((one) => one >= rough)
  if (step === undefined) return monthTicks(low, high, rough)
  const first = Math.ceil(low / step)
  const length = Math.max(0, Math.floor(high / step) - first + 1)
  return Array.from({ length }, (_, index) => {
    const value = (first + index) * step
    return { value, label: value % day === 0 ? printMonthDay(value) : printClock(value, step) }
  })
}

function monthTicks(low: number, high: number, rough: number): PositionedAxis['ticks'] {
  const every = monthSteps.find((one) => one * month >= rough) ?? 120
  const begin = new Date(low * 1000)
  const first = Math.floor((begin.getUTCFullYear() * 12 + begin.getUTCMonth()) / every) * every
  const ticks: { value: number; label: string }[] = []
  for (let index = first; ; index += every) {
    const value = Date.UTC(Math.floor(index / 12), index % 12) / 1000
    if (value > high) return ticks
    const isYear = index % 12 === 0
    const label = isYear ? `${Math.floor(index / 12)}` : (months[index % 12] ?? '')
    if (value >= low) ticks.push({ value, label })
  }
}

const two = (value: number) => `${value}`.padStart(2, '0')

function printClock(seconds: number, step: number): string {
  const at = new Date(seconds * 1000)
  const clock = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`
  return step < minute ? `${clock}:${two(at.getUTCSeconds())}` : clock
}

function printMonthDay(seconds: number): string {
  const at = new Date(seconds * 1000)
  return `${months[at.getUTCMonth()]} ${at.getUTCDate()}`
}

const printDay = (seconds: number) =>
  `${printMonthDay(seconds)}, ${new Date(seconds * 1000).getUTCFullYear()}`
