import { tokensOfPath, valueAt } from '../../../market/adapters/decode-call.ts'
import { type ActionStep, batchAdapter, type ReadCalls } from './action-calls.ts'
import { type ActionState, unknownState } from './action-state.ts'

/** A token and its amount in an action; null if unknown. */
export interface MovedAmount {
  readonly token: string | null
  readonly amount: bigint | null
  readonly minimum: bigint | null
}

/** Amounts of a step that is no container of other calls. */
export interface MovingStep {
  readonly step: ActionStep
  readonly kind: NonNullable<ActionStep['read']>['declared']['kind']
  readonly amountsIn: readonly MovedAmount[]
  readonly amountsOut: readonly MovedAmount[]
}

/** An allowance and the use of it by later calls. */
export interface GivenAllowance {
  readonly step: ActionStep
  readonly token: string | null
  readonly spender: string | null
  readonly amount: bigint | null
  /** Amount that later calls of the spender take; null if unknown. */
  readonly used: bigint | null
  /** True if a later call uses the spender for this token. */
  readonly isUsed: boolean
}

/** Asset movements in decoded calls, if their arguments show them. */
export interface Movement {
  readonly moving: readonly MovingStep[]
  readonly allowances: readonly GivenAllowance[]
  readonly assets: readonly string[] | null
  readonly adapterIds: readonly string[]
  /** Tokens that can leave the Safe, with their amounts; null if not all are known. */
  readonly leaving: readonly { readonly token: string; readonly amount: bigint }[] | null
  /** The only leaving token with its amount. */
  readonly amountIn: bigint | null
  readonly assetIn: string | null
  /** Of the only trade. */
  readonly assetOut: string | null
  readonly minimumOut: bigint | null
}

const containers: readonly MovingStep['kind'][] = ['MULTICALL', 'ROUTER', 'BATCH']
const spending: readonly MovingStep['kind'][] = ['SWAP', 'ADD', 'TRANSFER']

/** Tokens and amounts from call arguments and from the state of positions. */
export function movementOf(calls: ReadCalls, state: ActionState = unknownState): Movement {
  const { steps } = calls
  const isWhole = steps.every(({ read }) => read !== null)
  const moving = steps.flatMap((step) => movingStep(step, state))
  const allowances = allowancesIn(moving)
  const isAgreement = moving.some(({ kind }) => kind === 'ORDER')
  const leaving = isWhole && !isAgreement ? leavingOf(moving, allowances) : null
  const tokens = new Set(leaving?.map(({ token }) => token.toLowerCase()))
  const first = leaving?.[0]
  const isOne = first !== undefined && tokens.size === 1
  const acting = moving.filter(({ kind }) => kind !== 'APPROVE')
  const [trade] = acting.length === 1 && acting[0]?.kind === 'SWAP' ? acting : []
  return {
    moving,
    allowances,
    leaving,
    assets: isWhole ? assetsOf(calls, moving) : null,
    adapterIds: [...new Set(steps.flatMap(({ read }) => read?.adapter.adapterId ?? []))],
    amountIn: leaving && isOne ? leaving.reduce((sum, { amount }) => sum + amount, 0n) : null,
    assetIn: isOne ? first.token : null,
    assetOut: trade?.amountsOut[0]?.token ?? null,
    minimumOut: trade?.amountsOut[0]?.minimum ?? null,
  }
}

function movingStep(step: ActionStep, state: ActionState): MovingStep[] {
  const { read } = step
  if (read === null || containers.includes(read.declared.kind)) return []
  const { kind, roles } = read.declared
  const amounts = (declared: readonly DeclaredAmount[]) =>
    declared.map((one) => amountOf(step, state, one))
  return [
    {
      step,
      kind,
      amountsIn: amounts(roles.amountsIn ?? singleIn(kind, roles)),
      amountsOut: amounts(roles.amountsOut ?? singleOut(roles)),
    },
  ]
}

type Roles = NonNullable<ActionStep['read']>['declared']['roles']
type DeclaredAmount = NonNullable<Roles['amountsIn']>[number]

/** Roles of a function with one input. An allowance is of the called token. */
function singleIn(
  kind: MovingStep['kind'],
  { amountIn, tokenIn }: Roles,
): readonly DeclaredAmount[] {
  const token = kind === 'APPROVE' ? '$target' : tokenIn
  return amountIn === undefined || token === undefined ? [] : [{ token, amount: amountIn }]
}

function singleOut({ tokenOut, amountOutMinimum }: Roles): readonly DeclaredAmount[] {
  if (tokenOut === undefined) return []
  return [{ token: tokenOut, ...(amountOutMinimum ? { minimum: amountOutMinimum } : {}) }]
}

function amountOf(
  step: ActionStep,
  state: ActionState,
  { token, amount, minimum }: DeclaredAmount,
): MovedAmount {
  const [given, least] = [valueAt(step.read?.args, amount), valueAt(step.read?.args, minimum)]
  return {
    token: tokenOf(step, state, token),
    amount: typeof given === 'bigint' ? given : null,
    minimum: typeof least === 'bigint' ? least : null,
  }
}

function tokenOf(step: ActionStep, state: ActionState, path: string): string | null {
  if (path === '$target') return step.to
  if (path === '$pair') {
    const pair = state.pairOf(step)
    return pair === null || pair === 'NONE' ? null : pair.address
  }
  if (path.startsWith('$position.')) {
    const position = state.positionOf(step)
    if (position === null || position === 'NONE') return null
    return path === '$position.token0' ? position.token0 : position.token1
  }
  const token = valueAt(step.read?.args, path)
  return typeof token === 'string' ? token : null
}

/** Every token that moves; null if one is unknown. Shares of a pair are no assets of a policy. */
function assetsOf({ steps }: ReadCalls, moving: readonly MovingStep[]): string[] | null {
  const assets: (string | null)[] = moving.flatMap(({ step, kind, amountsIn, amountsOut }) => {
    const isRedemption = kind === 'REMOVE'
    const amounts = isRedemption ? amountsOut : [...amountsIn, ...amountsOut]
    return [...amounts.map(({ token }) => token), ...tokensBetween(step)]
  })
  // A wrap turns the native coin of the Safe into a token of the Safe.
  const isNative = ({ value, read }: ActionStep) => value > 0n && read?.declared.kind !== 'WRAP'
  if (steps.some(isNative)) assets.push('native')
  const known = assets.filter((asset) => asset !== null)
  return known.length < assets.length ? null : [...new Set(known)]
}

/** Tokens between the first and the last of a path of pools. */
function tokensBetween({ read }: ActionStep): string[] {
  const { amountsIn = [], tokenIn } = read?.declared.roles ?? {}
  const paths = [tokenIn, ...amountsIn.map(({ token }) => token)]
  return paths.flatMap((path) => {
    if (path === undefined || !/\.(?:first|last)$/.test(path)) return []
    const value = valueAt(read?.args, path.slice(0, path.lastIndexOf('.')))
    const tokens = typeof value === 'string' ? tokensOfPath(value) : value
    return Array.isArray(tokens) ? (tokens as string[]) : []
  })
}

const isSame = (a: string | null, b: string | null) =>
  a !== null && b !== null && a.toLowerCase() === b.toLowerCase()

function allowancesIn(moving: readonly MovingStep[]): GivenAllowance[] {
  return moving.flatMap(({ step, kind, amountsIn }, index) => {
    if (kind !== 'APPROVE') return []
    const token = amountsIn[0]?.token ?? null
    const amount = amountsIn[0]?.amount ?? null
    const given = valueAt(step.read?.args, step.read?.declared.roles.spender)
    const spender = typeof given === 'string' ? given : null
    const later = moving.slice(index + 1)
    const next = later.findIndex(
      (one) =>
        one.kind === 'APPROVE' &&
        isSame(one.step.to, step.to) &&
        isSame(one.amountsIn[0]?.token ?? null, token) &&
        isSame(spenderOf(one), spender),
    )
    const uses = (next < 0 ? later : later.slice(0, next))
      .filter((one) => isSame(one.step.to, spender))
      .flatMap((one) => one.amountsIn.filter((used) => isSame(used.token, token)))
    const used = uses.reduce<bigint | null>(
      (sum, one) => (sum === null || one.amount === null ? null : sum + one.amount),
      0n,
    )
    return [{ step, token, spender, amount, used, isUsed: uses.length > 0 }]
  })
}

const spenderOf = ({ step }: MovingStep): string | null => {
  const spender = valueAt(step.read?.args, step.read?.declared.roles.spender)
  return typeof spender === 'string' ? spender : null
}

function leavingOf(
  moving: readonly MovingStep[],
  allowances: readonly GivenAllowance[],
): Movement['leaving'] {
  const spent = moving
    .filter(({ kind }) => spending.includes(kind))
    .flatMap(({ amountsIn }) => amountsIn)
  // An allowance that no call of the action uses can be used later.
  const open = allowances.filter(({ isUsed }) => !isUsed)
  const leaving: { token: string; amount: bigint }[] = []
  for (const { token, amount } of [...spent, ...open]) {
    if (token === null || amount === null) return null
    leaving.push({ token, amount })
  }
  return leaving
}

/** Adapters whose calls a policy must approve. The calls of a batch are checked instead of it. */
export const judgedAdapters = (ids: readonly string[]): string[] =>
  [...new Set(ids)].filter((id) => id !== batchAdapter)
