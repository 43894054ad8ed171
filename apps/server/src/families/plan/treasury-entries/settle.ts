import type { contract, FieldErrors } from '@liquidity-os/contract'
import { type Address, getAddress, type Hex, isAddressEqual, toEventHash } from 'viem'
import { Failure } from '../../../failure.ts'
import { agreeOnAnswer } from '../../../integrations/chain/finalized.ts'
import { readHeader } from '../../../integrations/chain/header.ts'
import { readReceipt } from '../../../integrations/chain/receipts.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { type PinnedSnapshot, readFromChain } from '../../../market/treasury/treasury-snapshot.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { treasuryEntries } from './records.ts'

type Settlement = contract.TreasuryBucket['settlements'][number]
type SettlementPlace = Settlement['place']

const transferTopic = toEventHash('Transfer(address,address,uint256)')

/**
 * Reads transfers claimed as payment of an obligation. Each must be a finalized transfer of its
 * asset out of the organization's containers, and must not pay another obligation.
 *
 * @param assetKey token of the obligation
 * @throws Failure 422 LIQUIDITY_TREASURY_SETTLEMENT_UNPROVEN with every invalid transfer, 409
 * LIQUIDITY_TREASURY_OBSERVATION_DUPLICATE for a transfer that is already used
 */
export async function readSettlements(
  records: TenantRecords,
  assetKey: string,
  places: readonly SettlementPlace[],
  snapshot: PinnedSnapshot,
): Promise<Settlement[]> {
  await requireUnused(records, places)
  const containers = await containersOf(records)
  const faults: FieldErrors = {}
  const found: Settlement[] = []
  for (const [index, place] of places.entries()) {
    const read = await readFromChain(() => settlementAt(assetKey, place, snapshot, containers))
    if (typeof read === 'string') faults[`settlements.${index}`] = [read]
    else found.push(read)
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_TREASURY_SETTLEMENT_UNPROVEN', { fieldErrors: faults })
  }
  return found
}

async function requireUnused(
  records: TenantRecords,
  places: readonly SettlementPlace[],
): Promise<void> {
  const names = places.map(({ chainId, txHash, logIndex }) => `${chainId}|${txHash}|${logIndex}`)
  for (const [index, name] of names.entries()) {
    const isTwice = names.indexOf(name) < index
    const holder = isTwice
      ? 'this request'
      : await records.holder({ kind: 'treasury-settlement', name })
    if (holder === null) continue
    throw new Failure('LIQUIDITY_TREASURY_OBSERVATION_DUPLICATE', {
      fieldErrors: {
        [`settlements.${index}`]: [`must be unused, got a transfer that already pays ${holder}`],
      },
    })
  }
}

/** All on-chain containers of current and former entries. */
async function containersOf(records: TenantRecords): Promise<ReadonlySet<string>> {
  const entries = await treasuryEntries.find(records, { order: 'OLDEST' })
  return new Set(entries.flatMap(({ payload }) => payload.containerKey ?? []))
}

async function settlementAt(
  assetKey: string,
  place: SettlementPlace,
  snapshot: PinnedSnapshot,
  containers: ReadonlySet<string>,
): Promise<Settlement | string> {
  const { chainId, txHash, logIndex } = place
  const asset = namedAsset(assetKey)
  if (asset.kind !== 'TOKEN') return `must be a token transfer, but ${assetKey} is not a token`
  if (asset.chainId !== chainId) return `must be on chain ${asset.chainId}, got ${chainId}`
  const chain = snapshot.chains.get(chainId)
  if (!chain) throw new Error(`The snapshot has no chain ${chainId}.`)
  const { clients } = chain
  // A single provider could invent a payment.
  const receipt = await agreeOnAnswer(clients, (client) => readReceipt(client, txHash as Hex))
  if (receipt === null) return `must be a transaction on the chain, got ${txHash}`
  if (receipt.blockNumber > chain.block.number) {
    return `must be in a finalized block, at most ${chain.block.number}, got block ${receipt.blockNumber}`
  }
  const { blockNumber } = receipt
  const header = await agreeOnAnswer(clients, (client) => readHeader(client, blockNumber))
  const log = receipt.logs.find((one) => one.logIndex === logIndex)
  const isTransfer =
    header.hash === receipt.blockHash &&
    log?.topics.length === 3 &&
    log.topics[0] === transferTopic &&
    isAddressEqual(log.address, asset.address)
  if (!isTransfer) return `must be a Transfer log of ${assetKey}, got log ${logIndex} of ${txHash}`
  const [from, to] = [addressIn(log.topics[1]), addressIn(log.topics[2])]
  const container = `eip155:${chainId}:${from.toLowerCase()}`
  if (!containers.has(container))
    return `must be sent from a container of an entry, got one from ${from}`
  // A transfer to the organization itself pays no one.
  if (containers.has(`eip155:${chainId}:${to.toLowerCase()}`)) {
    return `must be sent outside the organization, got its own container ${to}`
  }
  return { place, blockNumber, amount: BigInt(log.data).toString(), container, to }
}

const addressIn = (topic: Hex | undefined): Address => getAddress(`0x${topic?.slice(26)}`)
