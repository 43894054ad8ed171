import type { StableEvent } from '@liquidity-os/engine/replay'
import { type Address, decodeEventLog, getAddress, type Hex } from 'viem'
import type { Parties, Place, PlacedLog } from './placed-log.ts'
import { stableSwapEvents } from './stableswap-abi.ts'

/** Union of all event arguments; an event has only the ones in its signature. */
type Arguments = {
  readonly buyer: Address
  readonly provider: Address
  readonly soldId: bigint
  readonly boughtId: bigint
  readonly tokensSold: bigint
  readonly tokensBought: bigint
  readonly tokenAmounts: readonly bigint[]
  readonly fees: readonly bigint[]
  readonly invariant: bigint
  readonly tokenSupply: bigint
  readonly tokenId?: bigint
  readonly tokenAmount: bigint
  readonly coinAmount: bigint
  readonly oldA: bigint
  readonly newA: bigint
  readonly initialTime: bigint
  readonly futureTime: bigint
  readonly a: bigint
  readonly time: bigint
}

type Terms = {
  readonly fee?: bigint
  readonly adminFee?: bigint
  readonly offpegFeeMultiplier?: bigint
}

/** Event of a StableSwap pool of any build; null for a log that changes no amount. */
export function decodeStableLog(
  log: PlacedLog,
  place: Place,
): { readonly event: StableEvent; readonly parties: Parties } | null {
  const [topic] = log.topics
  const item = topic === undefined ? undefined : stableSwapEvents.get(topic)
  if (item === undefined) return null
  const args = argumentsOf(log, item)
  return args === null ? null : decoded(item.name, args, place)
}

function argumentsOf(
  log: PlacedLog,
  item: Parameters<typeof decodeEventLog>[0]['abi'][number],
): (Arguments & Terms) | null {
  try {
    const topics = log.topics as [Hex, ...Hex[]]
    // Safe cast: the event signatures define the arguments, but viem cannot infer which one
    // applies.
    const { args } = decodeEventLog({ abi: [item], topics, data: log.data })
    return args as unknown as Arguments & Terms
  } catch {
    return null
  }
}

function decoded(
  name: string,
  args: Arguments & Terms,
  place: Place,
): { event: StableEvent; parties: Parties } | null {
  const { tokenAmounts, fees, invariant, tokenSupply, tokenAmount, coinAmount } = args
  switch (name) {
    case 'TokenExchange': {
      const { tokensSold, tokensBought } = args
      const ids = { soldId: Number(args.soldId), boughtId: Number(args.boughtId) }
      const event = { ...place, type: name, ...ids, tokensSold, tokensBought } as const
      return { event, parties: { sender: getAddress(args.buyer) } }
    }
    case 'TokenExchangeUnderlying':
      return { event: { ...place, type: name }, parties: { sender: getAddress(args.buyer) } }
    case 'AddLiquidity':
    case 'RemoveLiquidityImbalance': {
      const event = { ...place, type: name, tokenAmounts, fees, invariant, tokenSupply } as const
      return { event, parties: provider(args) }
    }
    case 'RemoveLiquidity':
      return { event: { ...place, type: name, tokenAmounts, tokenSupply }, parties: provider(args) }
    case 'RemoveLiquidityOne': {
      const tokenId = args.tokenId === undefined ? null : Number(args.tokenId)
      const paid = { tokenId, tokenAmount, coinAmount, tokenSupply: tokenSupply ?? null }
      return { event: { ...place, type: name, ...paid }, parties: provider(args) }
    }
    case 'RampA': {
      const times = { initialTime: Number(args.initialTime), futureTime: Number(args.futureTime) }
      const { oldA, newA } = args
      return { event: { ...place, type: name, oldA, newA, ...times }, parties: {} }
    }
    case 'StopRampA': {
      const { a, time } = args
      return { event: { ...place, type: name, a, time: Number(time) }, parties: {} }
    }
    case 'NewFee':
    case 'ApplyNewFee':
    case 'ApplyNewAdminFee': {
      const terms = {
        feeX10: args.fee ?? null,
        adminFeeX10: args.adminFee ?? null,
        offpegFeeMultiplierX10: args.offpegFeeMultiplier ?? null,
      }
      return { event: { ...place, type: 'NewFee', ...terms }, parties: {} }
    }
    default:
      return null
  }
}

const provider = (args: Arguments): Parties => ({ sender: getAddress(args.provider) })
