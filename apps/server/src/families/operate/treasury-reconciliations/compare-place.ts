import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { readHolding } from '../../../market/treasury/read-holding.ts'
import { type Rolled, rollForward } from '../../../market/treasury/roll-forward.ts'
import {
  type PinnedChain,
  type PinnedSnapshot,
  readFromChain,
} from '../../../market/treasury/treasury-snapshot.ts'
import { type DifferenceCauses, determineCauses, type Stated } from './causes.ts'
import type { CustodyStatement } from './custody-statements.ts'
import { type Place, sourcesOf } from './places.ts'

type Line = contract.ReconciliationLine

/** A line without data from earlier reconciliations and prices. */
export type ComparedLine = Omit<
  Line,
  'breakId' | 'firstSeenAt' | 'ageDays' | 'material' | 'valueQuote'
> & { readonly isOpen: boolean }

/** Transfers that a line shows; all are summed. */
const shownTransfers = 20

/**
 * Reads one container and asset at the snapshot's block, and compares ledger entries, custody
 * statements and chain.
 *
 * @returns null for an unrecorded and empty place
 * @throws Failure 503 if the chain is unavailable
 */
export async function comparePlace(
  place: Place,
  snapshot: PinnedSnapshot,
): Promise<ComparedLine | null> {
  const { container, assetKey, entries } = place
  const chain = chainOf(place, snapshot)
  const found = chain ? await balanceAt(chain, place) : null
  const isRecorded = entries.length > 0
  if (!isRecorded && place.statements.length === 0 && (!found || found.balance === 0n)) return null
  const ledger = entries.reduce(
    (sum, one) => sum + BigInt(one.payload.observed?.quantity ?? '0'),
    0n,
  )
  const last = lastObservationOf(place)
  const rolled =
    chain && found && last && last.block < chain.block.number
      ? await roll(chain, place, last, found.balance)
      : null
  const stated = await Promise.all(
    place.statements.map((one) => statedAt(chain, place, one, found?.balance ?? null)),
  )
  const causes = determineCauses({
    ledger,
    isRecorded,
    statements: stated,
    lastObserved: last?.balance ?? null,
    chain: chain ? (found?.balance ?? 'UNREADABLE') : null,
    flows: rolled && flowsOf(rolled),
    residualClass: rolled?.figures.residualClass ?? 'NONE',
  })
  const balance = found?.balance ?? null
  return {
    lineKey: H('line-key/v1', { container, assetKey }),
    container,
    assetKey,
    ledger: `${ledger}`,
    custody: text(causes.custody),
    chain: text(balance),
    chainProof: found?.proof ?? null,
    differences: differencesOf(ledger, causes, balance),
    explained: rolled && explainedBy(rolled),
    sides: causes.sides,
    cause: causes.cause,
    alsoHolds: [...causes.alsoHolds],
    mappingAsserted: place.isMapped,
    sources: sourcesOf(place),
    isOpen: causes.cause !== 'AGREED',
  }
}

const text = (value: bigint | null) => (value === null ? null : `${value}`)

function chainOf({ container, assetKey }: Place, { chains }: PinnedSnapshot): PinnedChain | null {
  const named = namedAsset(assetKey)
  if (named.kind === 'MONEY' || !container.startsWith('eip155:')) return null
  return chains.get(named.chainId) ?? null
}

const accountOf = ({ container }: Place) => container.split(':')[2] as Address

function balanceAt(chain: PinnedChain, place: Place) {
  const asset = namedAsset(place.assetKey)
  if (asset.kind === 'MONEY') throw new Error('Money has no chain.')
  return readFromChain(() => readHolding(chain, asset, accountOf(place)))
}

interface Observation {
  readonly block: number
  readonly balance: bigint
}

/**
 * Container balance at the last observation of its entries. Null if the blocks differ, because
 * flows then have no common start. Also null if a mapping includes an entry observed in another
 * container.
 */
function lastObservationOf({ entries, isMapped }: Place): Observation | null {
  if (isMapped) return null
  const observed = entries.flatMap(({ payload: { asset, observed: seen, computation } }) => {
    const named = namedAsset(asset)
    const chains = computation.snapshot?.chains ?? []
    const chain =
      named.kind === 'MONEY' ? undefined : chains.find((c) => c.chainId === named.chainId)
    return seen && chain
      ? [{ block: chain.blockNumber, balance: BigInt(seen.containerBalance) }]
      : []
  })
  const [last] = observed
  if (!last || observed.length < entries.length) return null
  return observed.every(({ block }) => block === last.block) ? last : null
}

function roll(
  chain: PinnedChain,
  place: Place,
  from: { readonly block: number; readonly balance: bigint },
  closing: bigint,
): Promise<Rolled> {
  const holding = { asset: place.assetKey, account: accountOf(place) }
  return readFromChain(() => rollForward(chain, holding, from, closing))
}

function flowsOf({ figures }: Rolled) {
  if (figures.residualClass === 'NOT_COMPUTED') return null
  return {
    inflow: BigInt(figures.inflow),
    outflow: BigInt(figures.outflow),
    residual: BigInt(figures.residual),
  }
}

async function statedAt(
  chain: PinnedChain | null,
  place: Place,
  { quantity, isLive, blockNumber }: CustodyStatement,
  balance: bigint | null,
): Promise<Stated> {
  const isOld = chain !== null && blockNumber !== null && blockNumber < chain.block.number
  if (!isOld || balance === null) return { quantity, isLive, movedSince: null }
  const flows = flowsOf(
    await roll(chain, place, { block: blockNumber, balance: quantity }, balance),
  )
  return { quantity, isLive, movedSince: flows && flows.inflow - flows.outflow }
}

function differencesOf(
  ledger: bigint,
  { custody }: DifferenceCauses,
  chain: bigint | null,
): Line['differences'] {
  const minus = (a: bigint | null, b: bigint | null) =>
    a === null || b === null ? null : `${a - b}`
  return {
    ledgerMinusChain: minus(ledger, chain),
    custodyMinusChain: minus(custody, chain),
    ledgerMinusCustody: minus(ledger, custody),
  }
}

function explainedBy({ figures, transfers }: Rolled): Line['explained'] {
  const { fromBlock, toBlock, inflow, outflow, residual, logCount } = figures
  const largest = transfers
    .toSorted((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
    .slice(0, shownTransfers)
  return {
    fromBlock,
    toBlock,
    inflow,
    outflow,
    residual,
    logs: logCount,
    transfers: transfers
      .filter((one) => largest.includes(one))
      .map(({ amount, ...one }) => ({ ...one, amount: `${amount}` })),
  }
}
