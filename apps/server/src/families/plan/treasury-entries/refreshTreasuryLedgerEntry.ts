import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { type PinnedSnapshot, takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { Decision } from '../../record-family.ts'
import { chainOf, type ObservedEntry } from './holding-figures.ts'
import { type InputOf, inputOf } from './input-of.ts'
import { namesOfEntry } from './names.ts'
import { lastBlockOf, observeAgain, signAgain } from './observe-again.ts'
import { owedEntry } from './owed-entry.ts'
import { treasuryEntries } from './records.ts'
import { readSettlements } from './settle.ts'
import { sharingPlace } from './share-place.ts'
import { requireSoundEntry } from './validate-entry.ts'

type Bucket = contract.TreasuryBucket
type Request = HandlerRequest<typeof contract.refreshTreasuryLedgerEntry>
type Body = Static<typeof contract.refreshTreasuryLedgerEntry.body>

const event = 'treasury.entry.refreshed'

export default treasuryEntries.supersede(contract.refreshTreasuryLedgerEntry, {
  to: (_request, before) => before.status,
  decide: (request, before) => {
    const { payload } = before
    if (payload.entryKind === 'ASSET') return observedAgain(request, before, payload)
    if (payload.entryKind === 'OBLIGATION') return settled(request, before, payload)
    throw new Failure('LIQUIDITY_TREASURY_ENTRY_INCONSISTENT', {
      fieldErrors: { id: ['must be a holding or an obligation, got a reservation'] },
    })
  },
})

/** Request fields that change an entry's definition, but not its holding. */
const changeable = ['label', 'purpose', 'allocation', 'restrictions', 'valuation'] as const

function changesOf(body: Body) {
  return Object.fromEntries(
    changeable.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
  ) as Pick<Body, (typeof changeable)[number]>
}

/** Fields without effect for this kind of entry are rejected, not ignored. */
function refuseMembers(body: Body, names: readonly (keyof Body)[], kind: string): void {
  const given = names.filter((name) => body[name] !== undefined)
  if (given.length === 0) return
  const fieldErrors = Object.fromEntries(
    given.map((name) => [name, [`must be omitted for an entry that is ${kind}`]]),
  )
  throw new Failure('LIQUIDITY_TREASURY_ENTRY_INCONSISTENT', { fieldErrors })
}

async function observedAgain(
  request: Request,
  before: VersionedRecord<Bucket>,
  payload: contract.TreasuryHolding,
): Promise<Decision<Bucket>> {
  const { body, records, services } = request
  refuseMembers(body, ['settlements'], 'ASSET')
  const changes = changesOf(body)
  const input: InputOf<typeof payload> = { ...inputOf(payload), ...changes }
  requireSoundEntry(input, before.evidenceHashes, '')
  await requireFree(request, { ...payload, ...changes } as Bucket, before)
  const { container } = input
  if (!('address' in container)) {
    const isChanged = Object.keys(changes).length > 0
    return signedAgain(request, before, { input, payload, isChanged })
  }
  const snapshot = await takeSnapshot(records, services, [container.chainId], 'id')
  const isChanged = Object.keys(changes).length > 0
  requireNews(lastBlockOf(payload, container), snapshot, container.chainId, isChanged)
  const isRestrictedNow = body.restrictions !== undefined
  const observed = await observeAgain(
    records,
    before,
    { input, payload, container, isRestrictedNow },
    snapshot,
  )
  return sharingPlace(records, { observed, snapshot, before, decision: chooseEvent(observed) })
}

/** Reservations above the free amount trigger a separate event; none is reduced. */
function chooseEvent({ payload }: ObservedEntry) {
  const isOver = payload.computation.gaps.some(({ code }) => code === 'OVER_RESERVED')
  return { event: isOver ? 'treasury.entry.over_reserved' : event }
}

/** Updates an off-chain holding from the latest valid evidence. */
async function signedAgain(
  { records, body }: Request,
  before: VersionedRecord<Bucket>,
  more: {
    readonly input: InputOf<contract.TreasuryHolding>
    readonly payload: contract.TreasuryHolding
    readonly isChanged: boolean
  },
): Promise<Decision<Bucket>> {
  const { input, payload, isChanged } = more
  const { observation } = payload
  const last = observation?.mode === 'CUSTODY_EVIDENCE' ? observation.evidence.id : null
  const isRestrictedNow = body.restrictions !== undefined
  const { evidenceId, ...observed } = await signAgain(records, before, input, { isRestrictedNow })
  if (!isChanged && last === evidenceId) {
    throw new Failure('LIQUIDITY_TREASURY_OBSERVATION_DUPLICATE', {
      fieldErrors: { id: [`must have later live evidence with a different result than ${last}`] },
    })
  }
  return sharingPlace(records, {
    observed,
    snapshot: null,
    before,
    decision: chooseEvent(observed),
  })
}

/**
 * Rejects a refresh without changes at the same block, because the version would contain no new
 * information.
 */
function requireNews(
  last: { readonly blockHash: string; readonly blockNumber: number } | undefined,
  snapshot: PinnedSnapshot,
  chainId: number,
  isChanged: boolean,
): void {
  if (isChanged || last?.blockHash !== chainOf(snapshot, chainId).block.hash) return
  throw new Failure('LIQUIDITY_TREASURY_OBSERVATION_DUPLICATE', {
    fieldErrors: {
      id: [`must have a later finalized block than ${last.blockNumber}, the last observed block`],
    },
  })
}

async function requireFree(
  { records }: Request,
  after: Bucket,
  { id }: VersionedRecord<Bucket>,
): Promise<void> {
  for (const name of namesOfEntry(after, false)) {
    const holder = await records.holder(name)
    if (holder === null || holder === id) continue
    throw new Failure('LIQUIDITY_TREASURY_CONTAINER_DUPLICATE', {
      fieldErrors: { purpose: [`must not belong to another active entry, got that of ${holder}`] },
    })
  }
}

async function settled(
  request: Request,
  before: VersionedRecord<Bucket>,
  payload: contract.TreasuryObligation,
): Promise<Decision<Bucket>> {
  const { body, records, services, now } = request
  refuseMembers(body, ['allocation', 'restrictions'], 'OBLIGATION')
  const input: InputOf<typeof payload> = { ...inputOf(payload), ...changesOf(body) }
  requireSoundEntry(input, before.evidenceHashes, '')
  const places = body.settlements ?? []
  if (places.length === 0) {
    return { ...(await owedEntry(records, input, payload.settlements, { now, field: '' })), event }
  }
  const asset = namedAsset(payload.asset)
  if (asset.kind === 'MONEY') {
    refuseMembers(body, ['settlements'], `owed in ${asset.code}, which is not on a chain`)
  }
  const chainIds = places.map(({ chainId }) => chainId)
  const snapshot = await takeSnapshot(records, services, chainIds, 'settlements')
  const paid = await readSettlements(records, payload.asset, places, snapshot)
  const settlements = [...payload.settlements, ...paid]
  requireAtMost(payload, paid)
  return { ...(await owedEntry(records, input, settlements, { now, field: '' }, snapshot)), event }
}

function requireAtMost(
  { remaining }: contract.TreasuryObligation,
  paid: contract.TreasuryBucket['settlements'],
): void {
  const sum = paid.reduce((total, { amount }) => total + BigInt(amount), 0n)
  if (remaining === null || sum <= BigInt(remaining)) return
  throw new Failure('LIQUIDITY_TREASURY_SETTLEMENT_EXCEEDS_REMAINING', {
    fieldErrors: { settlements: [`must sum to at most ${remaining}, got ${sum}`] },
  })
}
