import type { contract, FieldErrors, SourceRef } from '@liquidity-os/contract'
import { freedAt, totalOfEvents, type UnlockEvent } from '@liquidity-os/engine/vesting'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { agreeOnAnswer, readAtBlock } from '../../../integrations/chain/finalized.ts'
import {
  type ReadVesting,
  readLockups,
  readVestingWallet,
  type VestingAnswer,
} from '../../../integrations/chain/vesting.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { type Due, dueBetween } from '../../../market/treasury/schedule.ts'
import { type PinnedSnapshot, readFromChain } from '../../../market/treasury/treasury-snapshot.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { currentSources } from '../../sources.ts'
import type { FreeTerms } from './freed-by-day.ts'
import { refuse } from './validate-request.ts'

type Input = contract.UnlockImpactInput
type Source = Input['schedules'][number]['source']
type Contract = Extract<Source, { address: string }>
type Gap = contract.TreasuryGap

export interface ReadSchedule {
  /** Empty for an obligation, whose schedule is in the ledger. */
  readonly events: readonly contract.UnlockEvent[]
  /** Null if it never ends. */
  readonly total: bigint | null
  readonly terms: FreeTerms
  /** Unlocked at a time. */
  readonly freedAt: (time: number) => bigint
  readonly funded: {
    readonly address: string
    readonly owed: bigint
    readonly balance: bigint
  } | null
}

export interface ReadSchedules {
  readonly schedules: readonly ReadSchedule[]
  readonly refs: readonly SourceRef[]
  readonly gaps: readonly Gap[]
}

/**
 * Reads all schedules: contracts at the snapshot through all providers of the chain, obligations in
 * their exact versions.
 *
 * @throws Failure 404, 412 for sources, 422 for a contract or record without a schedule of the
 * token, 503 if the chain is unavailable
 */
export async function readSchedules(
  records: TenantRecords,
  { token, schedules }: Input,
  snapshot: PinnedSnapshot | null,
): Promise<ReadSchedules> {
  const obligations = await readObligations(records, token, schedules)
  const gaps: Gap[] = []
  const found: ReadSchedule[] = []
  for (const [index, { source, label }] of schedules.entries()) {
    const at = `payload.schedules.${index}.source`
    if (source.kind === 'DECLARED') {
      gaps.push(declared(label))
      found.push(ofDeclared(source.events))
    } else if (source.kind === 'LEDGER') {
      const obligation = obligations.get(index)
      if (!obligation) throw new Error(`The obligation of schedule ${index} was not read.`)
      found.push(ofObligation(obligation))
    } else {
      if (snapshot === null) throw new Error('A contract read requires a snapshot.')
      const answer = await readContractSchedule(snapshot, source, token)
      if (answer.kind !== 'READ') throw refusalOf(answer, at)
      for (const id of answer.cancelled) gaps.push(cancelled(source.address, id))
      if (answer.owed > answer.balance) gaps.push(underfunded(source.address, answer))
      const { owed, balance } = answer
      const events = answer.vestings.flatMap(eventsOf)
      found.push(ofEvents(events, { address: source.address, owed, balance }))
    }
  }
  const refs = schedules.flatMap(({ source }) =>
    source.kind === 'LEDGER' ? [source.obligation] : [],
  )
  return { schedules: found, refs, gaps }
}

async function readObligations(
  records: TenantRecords,
  token: string,
  schedules: Input['schedules'],
): Promise<ReadonlyMap<number, contract.TreasuryObligation>> {
  const named = schedules.flatMap(({ source }, index) =>
    source.kind === 'LEDGER'
      ? [
          {
            ref: source.obligation,
            at: `payload.schedules.${index}.source.obligation`,
            place: index,
          },
        ]
      : [],
  )
  const found = (await currentSources(records, named)) as VersionedRecord<contract.TreasuryBucket>[]
  const faults: FieldErrors = {}
  const others: FieldErrors = {}
  const read = new Map<number, contract.TreasuryObligation>()
  for (const [index, { at, place: itemIndex }] of named.entries()) {
    const payload = found[index]?.payload
    if (payload?.entryKind !== 'OBLIGATION') faults[at] = ['must be a ledger obligation']
    else if (found[index]?.status !== 'ACTIVE' && found[index]?.status !== 'PARTIAL') {
      faults[at] = [`must be an open obligation, got ${found[index]?.status}`]
    } else if (payload.obligation.certainty === 'UNCERTAIN') {
      faults[at] = ['must be COMMITTED or EXPECTED: sums exclude uncertain obligations']
    } else if (payload.asset !== token) others[at] = [`must be of ${token}, got ${payload.asset}`]
    else read.set(itemIndex, payload)
  }
  refuse(faults)
  refuse(others, 'LIQUIDITY_UNLOCK_TOKEN_MISMATCH')
  return read
}

async function readContractSchedule(
  snapshot: PinnedSnapshot,
  source: Contract,
  token: string,
): Promise<VestingAnswer> {
  const chain = snapshot.chains.get(source.chainId)
  const asset = namedAsset(token)
  if (!chain || asset.kind !== 'TOKEN')
    throw new Error('A contract must unlock a token on its chain.')
  const address = source.address as Address
  return readFromChain(() =>
    agreeOnAnswer(chain.clients, (client) =>
      readAtBlock(client, chain.block, (pin) =>
        source.kind === 'OZ_VESTING_WALLET'
          ? readVestingWallet(client, pin, address, asset.address)
          : readLockups(client, pin, address, asset.address, source.ids),
      ),
    ),
  )
}

function refusalOf(answer: Exclude<VestingAnswer, { kind: 'READ' }>, at: string): never {
  const { kind, message } = answer
  if (kind === 'UNKNOWN_STREAM') refuse({ [`${at}.ids`]: [message] })
  if (kind === 'OTHER_TOKEN')
    refuse({ [`${at}.ids`]: [message] }, 'LIQUIDITY_UNLOCK_TOKEN_MISMATCH')
  refuse({ [`${at}.address`]: [message] }, 'LIQUIDITY_UNLOCK_ADAPTER_UNSUPPORTED')
  throw new Error('The rejection was not thrown.')
}

const oneX18 = 10n ** 18n
const seconds = (text: string) => Math.ceil(Date.parse(text) / 1000)

type RecurringEvent = Extract<contract.UnlockEvent, { kind: 'RECURRING' }>
type TimedEvent = Exclude<contract.UnlockEvent, RecurringEvent>

/** An event of the request in the form of the engine. */
function engineEvent(event: TimedEvent): UnlockEvent {
  switch (event.kind) {
    case 'CLIFF':
      return { kind: 'CLIFF', at: seconds(event.at), amount: BigInt(event.amount) }
    case 'STEPS': {
      const { from, stepSeconds, steps, amount } = event
      return { kind: 'STEPS', from: seconds(from), stepSeconds, steps, amount: BigInt(amount) }
    }
    case 'LINEAR':
      return {
        kind: 'LINEAR',
        total: BigInt(event.amount),
        initial: BigInt(event.initial ?? '0'),
        startAt: seconds(event.from),
        endAt: seconds(event.to),
        cliffAt: seconds(event.cliffAt ?? event.from),
        stepSeconds: event.stepSeconds ?? 1,
        ...(event.precision === 'X18' ? { precision: oneX18 } : {}),
      }
  }
}

/** Record format of an unlock event. */
function serializeEvent(event: UnlockEvent): contract.UnlockEvent {
  const iso = (time: number) => new Date(time * 1000).toISOString()
  switch (event.kind) {
    case 'CLIFF':
      return { kind: 'CLIFF', at: iso(event.at), amount: `${event.amount}` }
    case 'STEPS': {
      const { from, stepSeconds, steps, amount } = event
      return { kind: 'STEPS', from: iso(from), stepSeconds, steps, amount: `${amount}` }
    }
    case 'LINEAR': {
      const { total, initial, startAt, cliffAt = startAt, endAt, stepSeconds } = event
      return {
        kind: 'LINEAR',
        from: iso(startAt),
        cliffAt: iso(cliffAt),
        to: iso(endAt),
        stepSeconds,
        initial: `${initial}`,
        amount: `${total}`,
        precision: event.precision === undefined ? 'EXACT' : 'X18',
      }
    }
  }
}

function eventsOf(vesting: ReadVesting): UnlockEvent[] {
  if (vesting.kind === 'TRANCHES') {
    return vesting.tranches.map(({ at, amount }) => ({ kind: 'CLIFF', at, amount }))
  }
  const { total, startAt, cliffAt, endAt, stepSeconds, precision } = vesting
  const linear = { total, initial: 0n, startAt, cliffAt, endAt, stepSeconds }
  return [{ kind: 'LINEAR', ...linear, ...(precision === 'X18' ? { precision: oneX18 } : {}) }]
}

const dueOf = ({ firstAt, every, count, amount }: RecurringEvent): Due => ({
  amount: BigInt(amount),
  schedule: { kind: 'RECURRING', firstAt, every, count },
})

function ofDeclared(declaredEvents: readonly contract.UnlockEvent[]): ReadSchedule {
  const recurring = declaredEvents.filter((event) => event.kind === 'RECURRING')
  const timed = declaredEvents.filter((event) => event.kind !== 'RECURRING').map(engineEvent)
  const read = ofEvents(timed, null)
  const due = recurring.map(dueOf)
  return {
    ...read,
    events: [...read.events, ...recurring],
    total: recurring.reduce(
      (sum, { count, amount }) => sum + BigInt(count) * BigInt(amount),
      totalOfEvents(timed),
    ),
    terms: { events: timed, due },
    freedAt: (time) =>
      due.reduce((sum, one) => sum + dueBetween(one, 0, time * 1000 + 1), read.freedAt(time)),
  }
}

function ofEvents(events: readonly UnlockEvent[], funded: ReadSchedule['funded']): ReadSchedule {
  return {
    events: events.map(serializeEvent),
    funded,
    total: totalOfEvents(events),
    terms: { events, due: [] },
    freedAt: (time) => events.reduce((sum, event) => sum + freedAt(event, time), 0n),
  }
}

function ofObligation({ obligation }: contract.TreasuryObligation): ReadSchedule {
  const due = { amount: BigInt(obligation.amount), schedule: obligation.schedule }
  const { schedule } = obligation
  const isEndless =
    schedule.kind === 'RECURRING' && schedule.count === undefined && schedule.until === undefined
  return {
    events: [],
    funded: null,
    total: isEndless ? null : dueBetween(due, 0, Date.parse('9999-12-31T23:59:59Z')),
    terms: { events: [], due: [due] },
    freedAt: (time) => dueBetween(due, 0, time * 1000 + 1),
  }
}

const declared = (subject: string): Gap => ({
  code: 'SCHEDULE_DECLARED',
  subject,
  effect: 'FLAGGED',
  detail: 'The caller declared the schedule. No contract or ledger confirms it.',
})

const cancelled = (address: string, id: string): Gap => ({
  code: 'STREAM_CANCELLED',
  subject: `${address} ${id}`,
  effect: 'FLAGGED',
  detail: 'The stream was canceled. It unlocks no more tokens.',
})

const underfunded = (
  subject: string,
  { owed, balance }: { readonly owed: bigint; readonly balance: bigint },
): Gap => ({
  code: 'UNDERFUNDED',
  subject,
  effect: 'BOUNDED',
  detail: `It holds ${balance} atoms and owes ${owed} for the named streams.`,
})
