import type { contract } from '@liquidity-os/contract'
import { type CitedFigure, citedIn } from '../assessed/cited-figures.ts'
import type { Sealed } from '../assessed/documents.ts'

type Disagreement = contract.ProposalReviewReport['disagreements'][number]
type Payload = contract.ProposalWorkspace
type Call = contract.ProposalCall

const isCalled = ({ functionName }: Call, names: RegExp): boolean =>
  functionName != null && names.test(functionName)

/**
 * Classes of call actions, detected by function name, and the English words for each. The list is
 * fixed and published.
 */
const actions = {
  TRANSFER: {
    words: /\b(?:pay|pays|paid|payment|payout|send|sends|transfer|transfers|invoice|refund)\b/i,
    isMade: (call: Call) =>
      call.readBy === 'COIN' || isCalled(call, /^(?:transfer|transferFrom|safeTransferFrom)$/),
  },
  ALLOWANCE: {
    words: /\b(?:approve|approves|approval|allow|allows|allowance|permit)\b/i,
    isMade: (call: Call) => isCalled(call, /^(?:approve|increaseAllowance|permit)$/),
  },
  SWAP: {
    words: /\b(?:swap|swaps|buy|buys|sell|sells|exchange|trade|trades|convert|converts)\b/i,
    isMade: (call: Call) => isCalled(call, /^(?:exact|swap|exchange)/i),
  },
  LIQUIDITY: {
    words: /\b(?:liquidity|pool|position|range|deposit|withdraw|collect|mint|burn|rebalance)\b/i,
    isMade: (call: Call) =>
      isCalled(
        call,
        /^(?:mint|burn|collect|increaseLiquidity|decreaseLiquidity|addLiquidity|add_liquidity|removeLiquidity|remove_liquidity|modifyLiquidities)/,
      ),
  },
  CONTROL: {
    words: /\b(?:owner|owners|threshold|signer|signers|module|modules|guard|multisig)\b/i,
    isMade: (call: Call) =>
      isCalled(call, /(?:Owner|Threshold|Module|Guard|FallbackHandler|setup)/),
  },
  POLICY: {
    words: /\b(?:policy|policies|limit|limits|mandate|commit|commitment)\b/i,
    isMade: ({ readBy }: Call) => readBy === 'COMMITMENT',
  },
} as const

/** A call with its pointer into the record of the proposal. */
interface PointedCall {
  readonly call: Call
  readonly pointer: string
}

/**
 * Contradictions between the text of a proposal and its calls. Detection covers only a fixed list
 * of English words, full addresses and figures before a symbol. An empty result proves no
 * agreement.
 */
export function disagreementsOf({ evidenceId, record }: Sealed<Payload>): Disagreement[] {
  const { payload } = record
  const cited = (name: string, pointer: string) => citedIn(evidenceId, record, name, pointer)
  const text = `${payload.title}\n${payload.summary}`
  const textFigures = [cited('title', '/payload/title'), cited('summary', '/payload/summary')]
  const calls = payload.packets.flatMap(({ decodedCalls }, packet) =>
    decodedCalls.map((call, index) => ({
      call,
      pointer: `/payload/packets/${packet}/decodedCalls/${index}`,
    })),
  )
  return [
    ...hidden(text, textFigures),
    ...unsaid(text, calls, { textFigures, cited }),
    ...unmade(text, calls, textFigures),
    ...findUnknownAddresses(text, payload, textFigures),
    ...otherAmounts(text, calls, { textFigures, cited }),
  ].slice(0, maxDisagreements)
}

const maxDisagreements = 64

interface CitedText {
  readonly textFigures: readonly CitedFigure[]
  readonly cited: (name: string, pointer: string) => CitedFigure
}

const disagreement = (
  code: Disagreement['code'],
  severity: Disagreement['severity'],
  figures: readonly CitedFigure[],
): Disagreement => ({ code, severity, figures: [...figures] })

/**
 * Format and control characters, except line ends: they change the text that a model reads, but are
 * invisible.
 */
const unseen = /(?![\n\r\t])[\p{Cf}\p{Cc}]/u

const hidden = (text: string, textFigures: readonly CitedFigure[]): Disagreement[] =>
  unseen.test(text) ? [disagreement('TEXT_HIDES', 'ATTENTION', textFigures)] : []

/**
 * Actions that the text does not mention, each with its first call. An allowance next to another
 * action counts as part of the other action.
 */
function unsaid(
  text: string,
  calls: readonly PointedCall[],
  { textFigures: reported, cited }: CitedText,
): Disagreement[] {
  const made = Object.entries(actions).flatMap(([action, { words, isMade }]) => {
    const first = calls.find(({ call }) => isMade(call))
    return first ? [{ action, first, isMentioned: words.test(text) }] : []
  })
  return made.flatMap(({ action, first, isMentioned: isNamed }) => {
    if (isNamed) return []
    const isPart = action === 'ALLOWANCE' && made.length > 1
    const figures = [...reported, cited('call', `${first.pointer}/words`)]
    return [disagreement('ACTION_UNSAID', isPart ? 'INFO' : 'ATTENTION', figures)]
  })
}

/** Skips undecoded calls, because they may be the action that the text mentions. */
function unmade(
  text: string,
  calls: readonly PointedCall[],
  textFigures: readonly CitedFigure[],
): Disagreement[] {
  if (calls.some(({ call }) => call.readBy === null)) return []
  const isAnyOther = Object.values(actions).some(
    ({ words, isMade }) => words.test(text) && !calls.some(({ call }) => isMade(call)),
  )
  return isAnyOther ? [disagreement('ACTION_NOT_MADE', 'ATTENTION', textFigures)] : []
}

/** Addresses in the text that no call targets or passes as data. The Safe itself is exempt. */
function findUnknownAddresses(
  text: string,
  payload: Payload,
  textFigures: readonly CitedFigure[],
): Disagreement[] {
  const sent = payload.packets
    .flatMap(({ decodedCalls }) => decodedCalls.flatMap(({ to, data }) => [to, data]))
    .join(' ')
    .toLowerCase()
  const own = payload.action.safeAddress.toLowerCase()
  const named = [...text.matchAll(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g)].map(([address]) =>
    address.toLowerCase(),
  )
  const isStrange = named.some((address) => address !== own && !sent.includes(address.slice(2)))
  return isStrange ? [disagreement('ADDRESS_NOT_CALLED', 'ATTENTION', textFigures)] : []
}

const figureBeforeSymbol =
  /(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?\s+[A-Z][A-Z0-9]{1,10}\b/g
const coinDecimals = 18

/**
 * Amounts in the text (a figure before a symbol) that match no call amount in any token's decimals.
 */
function otherAmounts(
  text: string,
  calls: readonly PointedCall[],
  { textFigures: response }: CitedText,
): Disagreement[] {
  const amounts = new Set(
    calls.flatMap(({ call }) => [
      call.value,
      ...(call.arguments ?? []).flatMap(({ value }) => value.match(/\d+/g) ?? []),
    ]),
  )
  const isOther = [...text.matchAll(figureBeforeSymbol)].some(([, whole = '', part = '']) => {
    const digits = whole.replaceAll(',', '')
    return !decimalsTried.some(
      (decimals) =>
        part.length <= decimals &&
        amounts.has(BigInt(`${digits}${part.padEnd(decimals, '0')}`).toString()),
    )
  })
  return isOther ? [disagreement('AMOUNT_NOT_CALLED', 'ATTENTION', response)] : []
}

/** Atoms, the usual decimals of dollars and bitcoin, and those of most tokens and native coins. */
const decimalsTried = [0, 6, 8, coinDecimals] as const
