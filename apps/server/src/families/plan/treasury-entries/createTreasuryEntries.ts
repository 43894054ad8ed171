import { contract } from '@liquidity-os/contract'
import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import { requireNoProtocol } from '../../../market/treasury/protocol-containers.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { declaredInEntry } from '../treasury-assets/api.ts'
import { requireKind } from './container-kind.ts'
import { chainOf, entryOf, type ObservedEntry, observeEntry } from './holding-figures.ts'
import { duplicateEntry, namesOfEntry } from './names.ts'
import { owedEntry } from './owed-entry.ts'
import { treasuryEntries } from './records.ts'
import { sharingPlace } from './share-place.ts'
import { namedCustody, needsEvidence, signedHolding } from './signed-holding.ts'
import { requireSoundEntry } from './validate-entry.ts'

type Input = contract.TreasuryBucketInput
type Holding = Extract<Input, { entryKind: 'ASSET' }>

const field = 'payload.'
const event = 'treasury.entry.created'

export default treasuryEntries.create(contract.createTreasuryEntries, async (request) => {
  const { body, records, services } = request
  const { payload: input, evidenceHashes = [] } = body
  if (input.entryKind === 'RESERVATION') {
    throw new Failure('LIQUIDITY_TREASURY_RESERVATION_NOT_DIRECT', {
      fieldErrors: { 'payload.entryKind': ['must be ASSET or OBLIGATION, got RESERVATION'] },
    })
  }
  requireSoundEntry(input, evidenceHashes, field)
  await requireFree(records, input)
  if (input.entryKind === 'OBLIGATION')
    return { ...(await owedEntry(records, input, [], { now: request.now, field })), event }
  const { container } = input
  const sharing = { before: null, decision: { event }, status: 201 } as const
  if (!('address' in container)) {
    const observed = await signedEntry(records, input)
    const declared = await declaredInEntry(records, input, null, body.reason)
    return sharingPlace(records, { ...sharing, observed, declared, snapshot: null })
  }
  const snapshot = await takeSnapshot(
    records,
    services,
    [container.chainId],
    'payload.container.chainId',
  )
  const chain = chainOf(snapshot, container.chainId)
  const address = container.address as Address
  await requireNoProtocol(records, chain, address, 'payload.container.address')
  await requireKind(chain, container)
  const observed = await observeEntry(records, input, snapshot, { before: null, field })
  const declared = await declaredInEntry(records, input, snapshot, body.reason)
  return sharingPlace(records, { ...sharing, observed, declared, snapshot })
})

/** Checks for duplicates first: chain reads are expensive. */
async function requireFree(records: TenantRecords, input: Input): Promise<void> {
  const names = namesOfEntry({ ...input, settlements: [] } as never, false)
  for (const name of names) {
    const holder = await records.holder(name)
    if (holder === null) continue
    throw duplicateEntry(input.entryKind, holder)
  }
}

/** Off-chain balances cannot be read, so signed evidence supplies them. */
async function signedEntry(records: TenantRecords, input: Holding): Promise<ObservedEntry> {
  const { observation } = input
  if (observation?.mode !== 'CUSTODY_EVIDENCE') {
    throw needsEvidence(input, 'payload.observation', observation?.mode ?? 'CHAIN')
  }
  const stated = await namedCustody(records, input, observation.evidence)
  const known = await signedHolding(records, input, stated)
  return entryOf(records, input, known, { before: null, field })
}
