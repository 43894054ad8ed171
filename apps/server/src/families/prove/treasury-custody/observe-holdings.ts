import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import { requireAgreement } from '../../../integrations/chain/common-snapshot.ts'
import { inSlices } from '../../../integrations/chain/contract-call.ts'
import { type Header, readHeader } from '../../../integrations/chain/header.ts'
import { limits } from '../../../limits.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { type Holding, readHolding } from '../../../market/treasury/read-holding.ts'
import { type PinnedChain, readFromChain } from '../../../market/treasury/treasury-snapshot.ts'
import type { Claim, ObservedHoldings } from './verified.ts'

type Observed = ObservedHoldings['observed'][number]

/**
 * Reads the claimed balances at the statement's block and requires exact equality.
 *
 * @param chain at the block of the statement
 * @param addresses accounts whose balances are summed
 * @throws Failure 422 for a different balance and for an asset that does not respond; 503 if the
 * chain is unavailable
 */
export async function observeHoldings(
  chain: PinnedChain,
  addresses: readonly Address[],
  { holdings }: Pick<contract.CustodyStatement, 'holdings'>,
): Promise<ObservedHoldings> {
  const { block } = chain
  requireReadable(holdings.length * addresses.length)
  const observed: Observed[] = []
  const artifacts: ObservedHoldings['artifacts'][number][] = []
  const faults: FieldErrors = {}
  for (const [index, { assetKey, quantity }] of holdings.entries()) {
    const found = await balancesOf(chain, assetKey, addresses, index)
    const sum = found.reduce((total, { balance }) => total + balance, 0n)
    if (sum !== BigInt(quantity)) {
      faults[`statement.holdings.${index}.quantity`] = [
        `must be the balance at block ${block.number}: claimed ${quantity}, observed ${sum}`,
      ]
    }
    const evidence = found.flatMap((one) => (one.evidence === null ? [] : [one.evidence]))
    artifacts.push(...evidence.map((one) => ({ ...one, mediaType: 'application/json' })))
    observed.push({
      assetKey,
      quantity: `${sum}`,
      proof: found.every(({ proof }) => proof === 'MERKLE') ? 'MERKLE' : 'READ',
      evidenceHashes: evidence.map(({ contentHash }) => contentHash),
    })
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_CUSTODY_HOLDING_MISMATCH', { fieldErrors: faults })
  }
  return { block, observed, artifacts }
}

function requireReadable(balances: number): void {
  if (balances <= limits.custodyBalances) return
  throw new Failure('LIQUIDITY_CUSTODY_STATEMENT_INVALID', {
    fieldErrors: {
      'statement.addresses': [
        `must require at most ${limits.custodyBalances} balance reads for the holdings, got ${balances}`,
      ],
    },
  })
}

/**
 * Block named in a statement. It must be finalized, on chain and at most one day old.
 *
 * @param head the chain at its finalized head
 * @throws Failure 422 for any other block, 503 if the chain is unavailable
 */
export async function statementBlock(
  { clients, block: head }: PinnedChain,
  { statement: { blockNumber, blockHash }, now }: Claim,
): Promise<Header> {
  // Required for every statement with accounts.
  const number = blockNumber as number
  if (number > head.number) {
    throw notFinal(
      'blockNumber',
      `must be at most ${head.number}, the last finalized block`,
      number,
    )
  }
  const block = await readFromChain(async () => {
    const found = await readHeader(clients[0], number)
    await requireAgreement(clients, found)
    return found
  })
  if (block.hash !== blockHash) {
    throw notFinal('blockHash', `must be ${block.hash} for block ${number}`, `${blockHash}`)
  }
  const oldest = now - limits.custodyBlockAgeMilliseconds
  if (block.timestamp * 1000 >= oldest) return block
  const came = `block ${number} at ${new Date(block.timestamp * 1000).toISOString()}`
  throw new Failure('LIQUIDITY_CUSTODY_BLOCK_TOO_OLD', {
    fieldErrors: {
      'statement.blockNumber': [
        `must be at or after ${new Date(oldest).toISOString()}, got ${came}`,
      ],
    },
  })
}

const notFinal = (member: string, expected: string, came: number | string) =>
  new Failure('LIQUIDITY_CUSTODY_BLOCK_NOT_FINAL', {
    fieldErrors: { [`statement.${member}`]: [`${expected}, got ${came}`] },
  })

function balancesOf(
  chain: PinnedChain,
  assetKey: string,
  addresses: readonly Address[],
  index: number,
): Promise<Pick<Holding, 'balance' | 'proof' | 'evidence'>[]> {
  const asset = namedAsset(assetKey)
  if (asset.kind === 'MONEY') throw new Error('An off-chain currency has no holdings on a chain.')
  return inSlices(addresses, limits.custodyBalancesAtOnce, async (address) => {
    const found = await readFromChain(() => readHolding(chain, asset, address))
    if (found !== null) return found
    // A position owned by another account is readable; the balance is then 0.
    if (asset.kind === 'POSITION') return { balance: 0n, proof: 'READ' as const, evidence: null }
    throw new Failure('LIQUIDITY_TREASURY_ASSET_UNREADABLE', {
      fieldErrors: {
        [`statement.holdings.${index}.assetKey`]: [
          `must be readable at block ${chain.block.number}, got ${assetKey}`,
        ],
      },
    })
  })
}

/** Proof level of the holdings. */
export const assuranceOf = ({
  observed,
}: ObservedHoldings): contract.CustodyReceipt['assurance'] =>
  observed.every(({ proof }) => proof === 'MERKLE') ? 'CHAIN_PROVEN' : 'CHAIN_READ'
