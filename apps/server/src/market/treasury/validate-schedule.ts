import type { contract } from '@liquidity-os/contract'

type Schedule = contract.TreasurySchedule
type Recurring = Extract<Schedule, { kind: 'RECURRING' }>
type Linear = Extract<Schedule, { kind: 'LINEAR' }>
type Fault = readonly [field: string, message: string]

export function validateSchedule({
  schedule,
  amount,
}: Pick<contract.TreasuryAssumptionLine, 'schedule' | 'amount'>): Fault[] {
  const faults = [
    ...timesOf(schedule).flatMap(([name, time]): Fault[] =>
      Date.parse(time) % 1000 === 0 ? [] : [[name, `must be in whole seconds, got ${time}`]],
    ),
    ...(schedule.kind === 'RECURRING' ? validateRecurring(schedule) : []),
    ...(schedule.kind === 'LINEAR' ? validateLinear(schedule, BigInt(amount)) : []),
  ]
  return faults.map(([name, message]) => [`schedule.${name}`, message])
}

function timesOf(schedule: Schedule): [name: string, time: string][] {
  const { kind: _kind, ...members } = schedule
  const names = ['at', 'firstAt', 'until', 'from', 'cliffAt', 'to']
  return Object.entries(members).flatMap(([name, value]): [string, string][] =>
    names.includes(name) && typeof value === 'string' ? [[name, value]] : [],
  )
}

function validateRecurring({ firstAt, count, until }: Recurring): Fault[] {
  if (until === undefined) return []
  if (count !== undefined) return [['until', `must be omitted if count is given, got ${until}`]]
  if (Date.parse(until) >= Date.parse(firstAt)) return []
  return [['until', `must not be before firstAt, ${firstAt}, got ${until}`]]
}

function validateLinear({ from, cliffAt, to, initial = '0' }: Linear, amount: bigint): Fault[] {
  const faults: Fault[] = []
  if (Date.parse(to) <= Date.parse(from))
    faults.push(['to', `must be after from, ${from}, got ${to}`])
  const isOutside =
    cliffAt !== undefined &&
    (Date.parse(cliffAt) < Date.parse(from) || Date.parse(cliffAt) > Date.parse(to))
  if (isOutside) faults.push(['cliffAt', `must be from ${from} to ${to}, got ${cliffAt}`])
  if (BigInt(initial) > amount) {
    faults.push(['initial', `must be at most the amount, ${amount}, got ${initial}`])
  }
  return faults
}
