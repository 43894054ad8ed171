import { exactDecimal, percentOf, utcOf } from '../../fields/numbers.ts'
import type { Asset, Assets } from '../../fields/units.tsx'
import { type FunctionSignature, readArguments, readSignature } from './function-signatures.ts'
import { priceRange } from './price-range.ts'

/** A call of a Safe transaction as the service decodes it. */
export interface DecodedCall {
  to: string
  value: string
  selector: string | null
  functionName: string | null
  readBy: string | null
  words: string
  data: string
  /** Null if no decoder knows the call. */
  arguments: readonly { name: string; value: unknown }[] | null
}

/** Owners and threshold of a Safe. */
export interface Control {
  owners: readonly string[]
  threshold: number
}

/** A payment of the Safe that the arguments of a call name. */
export interface Payment {
  /** Address of the token, or `native`. */
  asset: string
  to: string
}

/** Effect of a call: a sentence, and the full addresses to compare. */
export interface Effect {
  text: string
  addresses: readonly { label: string; address: string }[]
  payments: readonly Payment[]
  /** True if the effect is unknown. */
  isUnknown: boolean
}

interface Context {
  call: DecodedCall
  safe: string
  /** Owners and threshold before the call. */
  control: Control
  /** Owners and threshold after the call. */
  after: Control
  assetOf: Assets
  /** A plain argument, also of the only tuple; the name is that of the interface. */
  argument: (name: string) => string
  /** A list of addresses. */
  listArgument: (name: string) => readonly string[]
}

/** From this amount on an approval has no practical limit. */
const minUnlimited = 1n << 128n

const effect = (
  text: string,
  addresses: Record<string, string> = {},
  payments: readonly Payment[] = [],
): Effect => ({
  text,
  addresses: Object.entries(addresses).map(([label, address]) => ({ label, address })),
  payments,
  isUnknown: false,
})

/** @param unknown noun for a token whose decimals are unknown */
function amountOf(atoms: string, asset: Asset | null, unknown = 'the token'): string {
  if (!/^\d+$/.test(atoms)) return atoms
  return asset
    ? `${exactDecimal(BigInt(atoms), asset.decimals)} ${asset.symbol}`
    : `${exactDecimal(BigInt(atoms), 0)} smallest units of ${unknown}`
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

const grouped = (integer: string) =>
  /^\d+$/.test(integer) ? exactDecimal(BigInt(integer), 0) : integer

/** An NFT has the same functions as a token, so the number can be a token ID. */
function amountOrId(atoms: string, asset: Asset | null): string {
  return asset
    ? amountOf(atoms, asset)
    : `${grouped(atoms)} of an unknown token (amount in smallest units, or token ID)`
}

const tokenAmount = ({ call, assetOf }: Context, atoms: string) =>
  amountOrId(atoms, assetOf(call.to))

/** `at least 2 WETH`, or a warning that no minimum is set. */
function atLeast(atoms: string, token: string, unknown: string, { assetOf }: Context): string {
  const asset = assetOf(token)
  return atoms === '0'
    ? `any amount of ${asset?.symbol ?? unknown}: no minimum is set`
    : `at least ${amountOf(atoms, asset, unknown)}`
}

/** Valid until the deadline, if it is a time that a date can show. */
function deadlineText(seconds: string): string {
  const milliseconds = Number(seconds) * 1000
  return milliseconds <= 8_640_000_000_000_000
    ? ` Valid until ${utcOf(new Date(milliseconds).toISOString())}.`
    : ' No deadline.'
}

const unlessSafe = (label: string, address: string, { safe }: Context): Record<string, string> =>
  isSame(address, safe) ? {} : { [label]: address }

const pairAddresses = (first: string, second: string): Record<string, string> => ({
  'First token': first,
  'Second token': second,
})

function required({ control, after }: Context): string {
  const state = ({ owners, threshold }: Control) => `${threshold} of ${owners.length}`
  return state(control) === state(after)
    ? `Required signatures stay at ${state(after)}.`
    : `Required signatures: ${state(control)} becomes ${state(after)}.`
}

/** Owners and threshold after a call of the Safe to itself. */
function controlAfter(
  { owners, threshold }: Control,
  { signature, argument }: { signature: FunctionSignature; argument: Context['argument'] },
): Control {
  const without = (address: string) => owners.filter((owner) => !isSame(owner, address))
  const nextThreshold = Number(argument('threshold'))
  switch (signature.name) {
    case 'addOwnerWithThreshold':
      return { owners: [...owners, argument('owner')], threshold: nextThreshold }
    case 'removeOwner':
      return { owners: without(argument('owner')), threshold: nextThreshold }
    case 'swapOwner':
      return { owners: [...without(argument('oldOwner')), argument('newOwner')], threshold }
    case 'changeThreshold':
      return { owners, threshold: nextThreshold }
    default:
      return { owners, threshold }
  }
}

/** The zero address removes a guard or a handler. */
const setOrRemove = (
  address: string,
  { label, set, remove }: Readonly<Record<'label' | 'set' | 'remove', string>>,
): Effect => (/^0x0{40}$/.test(address) ? effect(remove) : effect(set, { [label]: address }))

/** Sentences by function signature. */
type Effects = Readonly<Record<string, (context: Context) => Effect>>

const safeControl: Effects = {
  'addOwnerWithThreshold(address owner, uint256 threshold)': (it) =>
    effect(`Add an owner to the Safe. ${required(it)}`, { 'New owner': it.argument('owner') }),
  'removeOwner(address previous, address owner, uint256 threshold)': (it) =>
    effect(`Remove an owner from the Safe. ${required(it)}`, {
      'Removed owner': it.argument('owner'),
    }),
  'swapOwner(address previous, address oldOwner, address newOwner)': (it) =>
    effect('Replace an owner of the Safe. The required signatures do not change.', {
      'Old owner': it.argument('oldOwner'),
      'New owner': it.argument('newOwner'),
    }),
  'changeThreshold(uint256 threshold)': (it) =>
    effect(`Change the required signatures. ${required(it)}`),
  'enableModule(address module)': (it) =>
    effect('Enable a module. It can then move funds without signatures of the owners.', {
      Module: it.argument('module'),
    }),
  'disableModule(address previous, address module)': (it) =>
    effect('Disable a module.', { Module: it.argument('module') }),
  'setGuard(address guard)': (it) =>
    setOrRemove(it.argument('guard'), {
      label: 'Guard',
      set: 'Set the transaction guard of the Safe. It can block transactions of the owners.',
      remove:
        'Remove the transaction guard of the Safe. Transactions of the owners are no longer checked.',
    }),
  'setModuleGuard(address moduleGuard)': (it) =>
    setOrRemove(it.argument('moduleGuard'), {
      label: 'Module guard',
      set: 'Set the module guard of the Safe. It can block transactions of modules.',
      remove: 'Remove the module guard of the Safe. Transactions of modules are no longer checked.',
    }),
  'setFallbackHandler(address handler)': (it) =>
    setOrRemove(it.argument('handler'), {
      label: 'Handler',
      set: 'Set the fallback handler of the Safe. It handles calls that the Safe does not implement.',
      remove:
        'Remove the fallback handler of the Safe. Calls that the Safe does not implement then have no effect.',
    }),
}

function limit(amount: string, asset: Asset | null): string {
  const isUnlimited = /^\d+$/.test(amount) && BigInt(amount) >= minUnlimited
  if (!isUnlimited) return `up to ${amountOrId(amount, asset)}`
  return asset
    ? `any amount of ${asset.symbol}`
    : `any amount of an unknown token, or the NFT with token ID ${amount}`
}

const revocation = (asset: Asset | null): string =>
  asset
    ? 'Revoke an allowance.'
    : 'Revoke an allowance. If the token is an NFT: allow the spender to take token ID 0.'

function approveEffect(it: Context, token: string, expiry: string): Effect {
  const [amount, spender] = [it.argument('amount'), it.argument('spender')]
  const asset = it.assetOf(token)
  const text =
    amount === '0'
      ? revocation(asset)
      : `Allow the spender to take ${limit(amount, asset)}.${expiry}`
  return effect(text, { Spender: spender, Token: token })
}

const tokens: Effects = {
  'transfer(address to, uint256 amount)': (it) =>
    effect(
      `Send ${tokenAmount(it, it.argument('amount'))}.`,
      { Recipient: it.argument('to'), Token: it.call.to },
      [{ asset: it.call.to, to: it.argument('to') }],
    ),
  'transferFrom(address from, address to, uint256 amount)': (it) =>
    effect(
      `Move ${tokenAmount(it, it.argument('amount'))} between two accounts.`,
      { From: it.argument('from'), To: it.argument('to'), Token: it.call.to },
      isSame(it.argument('from'), it.safe) ? [{ asset: it.call.to, to: it.argument('to') }] : [],
    ),
  'approve(address spender, uint256 amount)': (it) => approveEffect(it, it.call.to, ''),
  // Permit2 keeps allowances of all tokens, each with an end.
  'approve(address token, address spender, uint160 amount, uint48 expiration)': (it) =>
    approveEffect(it, it.argument('token'), deadlineText(it.argument('expiration'))),
}

/** Functions of a wrapped coin. Other contracts use the same signatures for other effects. */
const wrappedCoin: Effects = {
  'deposit()': ({ call, assetOf }) =>
    effect(`Wrap ${amountOf(call.value, assetOf('native'))}.`, { Token: call.to }, [
      { asset: 'native', to: call.to },
    ]),
  'withdraw(uint256 amount)': (it) =>
    effect(`Unwrap ${tokenAmount(it, it.argument('amount'))}.`, { Token: it.call.to }),
}

function swapEffect(
  it: Context,
  {
    path,
    minimum,
    recipient,
    where,
  }: { path: readonly string[]; minimum: string; recipient: string; where: string },
): Effect {
  const [from = '', to = ''] = [path[0], path.at(-1)]
  const paid = amountOf(it.argument('amountIn'), it.assetOf(from), 'the token sold')
  const received = atLeast(minimum, to, 'the token bought', it)
  const between = path
    .slice(1, -1)
    .map((token, index) => [`Intermediate token ${index + 1}`, token] as const)
  return effect(
    `Swap ${paid}${where} for ${received}.${deadlineText(it.argument('deadline'))}`,
    {
      'Token sold': from,
      ...Object.fromEntries(between),
      'Token bought': to,
      ...unlessSafe('Recipient', recipient, it),
      Router: it.call.to,
    },
    [{ asset: from, to: it.call.to }],
  )
}

const routers: Effects = {
  'exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)':
    (it) =>
      swapEffect(it, {
        path: [it.argument('tokenIn'), it.argument('tokenOut')],
        minimum: it.argument('amountOutMinimum'),
        recipient: it.argument('recipient'),
        where: ` in the ${percentOf(Number(it.argument('fee')))} pool of Uniswap v3`,
      }),
  'swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)':
    (it) =>
      swapEffect(it, {
        path: it.listArgument('path'),
        minimum: it.argument('amountOutMin'),
        recipient: it.argument('to'),
        where: ' on Uniswap v2',
      }),
  'addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)':
    (it) => {
      const [tokenA, tokenB] = [it.argument('tokenA'), it.argument('tokenB')]
      const amounts = [
        amountOf(it.argument('amountADesired'), it.assetOf(tokenA), 'the first token'),
        amountOf(it.argument('amountBDesired'), it.assetOf(tokenB), 'the second token'),
      ]
      return effect(
        `Add up to ${amounts.join(' and ')} to a pool of Uniswap v2.${deadlineText(it.argument('deadline'))}`,
        {
          ...pairAddresses(tokenA, tokenB),
          ...unlessSafe('Recipient', it.argument('to'), it),
          Router: it.call.to,
        },
        [tokenA, tokenB].map((asset) => ({ asset, to: it.call.to })),
      )
    },
  'removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)':
    (it) => {
      const [tokenA, tokenB] = [it.argument('tokenA'), it.argument('tokenB')]
      const amounts = [
        atLeast(it.argument('amountAMin'), tokenA, 'the first token', it),
        atLeast(it.argument('amountBMin'), tokenB, 'the second token', it),
      ]
      return effect(
        `Withdraw liquidity from a pool of Uniswap v2 for ${amounts.join(' and ')}.${deadlineText(it.argument('deadline'))}`,
        {
          ...pairAddresses(tokenA, tokenB),
          ...unlessSafe('Recipient', it.argument('to'), it),
          Router: it.call.to,
        },
      )
    },
  'createPair(address tokenA, address tokenB)': (it) =>
    effect(
      'Create a pool of Uniswap v2. This moves no funds.',
      pairAddresses(it.argument('tokenA'), it.argument('tokenB')),
    ),
  'setPreSignature(bytes orderUid, bool signed)': (it) =>
    effect(
      it.argument('signed') === 'true'
        ? 'Pre-sign a CoW Protocol order. Solvers can settle it until it expires.'
        : 'Cancel a CoW Protocol order.',
      { Settlement: it.call.to },
    ),
}

const positions: Effects = {
  'mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params)':
    (it) => {
      const [token0, token1] = [it.argument('token0'), it.argument('token1')]
      const [first, second] = [it.assetOf(token0), it.assetOf(token1)]
      const amounts = [
        amountOf(it.argument('amount0Desired'), first, 'the first token'),
        amountOf(it.argument('amount1Desired'), second, 'the second token'),
      ]
      const range = priceRange(it.argument('tickLower'), it.argument('tickUpper'), first, second)
      return effect(
        `Open a position in the ${percentOf(Number(it.argument('fee')))} pool of Uniswap v3 with up to ${amounts.join(' and ')}. ${range}${deadlineText(it.argument('deadline'))}`,
        {
          ...pairAddresses(token0, token1),
          ...unlessSafe('Owner of the position', it.argument('recipient'), it),
          Manager: it.call.to,
        },
        [token0, token1].map((asset) => ({ asset, to: it.call.to })),
      )
    },
  'increaseLiquidity((uint256 tokenId, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params)':
    (it) =>
      effect(
        `Add liquidity to position #${it.argument('tokenId')}. The funds below state the amounts.${deadlineText(it.argument('deadline'))}`,
        { Manager: it.call.to },
      ),
  'decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params)':
    (it) =>
      effect(
        `Withdraw liquidity from position #${it.argument('tokenId')}. The tokens stay with the position until they are collected.${deadlineText(it.argument('deadline'))}`,
        { Manager: it.call.to },
      ),
  'collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params)': (
    it,
  ) =>
    effect(`Collect the tokens and fees of position #${it.argument('tokenId')}.`, {
      ...unlessSafe('Recipient', it.argument('recipient'), it),
      Manager: it.call.to,
    }),
  'collect(address recipient, int24 tickLower, int24 tickUpper, uint128 amount0Requested, uint128 amount1Requested)':
    (it) =>
      effect('Collect the tokens and fees of a pool position.', {
        ...unlessSafe('Recipient', it.argument('recipient'), it),
        Pool: it.call.to,
      }),
  'burn(int24 tickLower, int24 tickUpper, uint128 amount)': (it) =>
    effect(
      'Withdraw liquidity from a pool position. The tokens stay in the pool until they are collected.',
      { Pool: it.call.to },
    ),
  'createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)':
    (it) =>
      effect(
        `Create a ${percentOf(Number(it.argument('fee')))} pool of Uniswap v3 if it does not exist. This moves no funds.`,
        pairAddresses(it.argument('token0'), it.argument('token1')),
      ),
}

const bySelector = (effects: Effects) =>
  new Map(
    Object.entries(effects).map(([text, describe]) => {
      const signature = readSignature(text)
      return [signature.selector, { signature, describe }] as const
    }),
  )

const deposit = readSignature('deposit()')
const multiSend = readSignature('multiSend(bytes transactions)')
const controlFunctions = bySelector(safeControl)
const wrappedFunctions = bySelector(wrappedCoin)
const otherFunctions = bySelector({ ...tokens, ...routers, ...positions })

/** The function of a call, by the selector in its data: other functions have the same name. */
function findFunction({ data, to, readBy }: DecodedCall, safe: string) {
  const selector = data.slice(0, 10).toLowerCase()
  const wrapped = readBy === 'STANDARD' ? wrappedFunctions.get(selector) : undefined
  return isSame(to, safe)
    ? controlFunctions.get(selector)
    : (wrapped ?? otherFunctions.get(selector))
}

type Terms = Pick<Context, 'safe' | 'control' | 'assetOf'>

/** The effects of calls in order, as sentences. Each starts from the control that earlier calls leave. */
export function effectsOf(calls: readonly DecodedCall[], terms: Terms): Effect[] {
  const effects: Effect[] = []
  let { control } = terms
  for (const call of calls) {
    const { effect: described, after } = effectOf(call, { ...terms, control })
    effects.push(described)
    control = after
  }
  return effects
}

function effectOf(call: DecodedCall, terms: Terms): { effect: Effect; after: Control } {
  const { safe, control } = terms
  const found = call.readBy === null ? undefined : findFunction(call, safe)
  const given = found && readArguments(found.signature, call.arguments ?? [])
  if (!found || !given) return { effect: plainEffect(call, terms), after: control }
  const argument = (name: string) => String(given.get(name) ?? '')
  const listArgument = (name: string) => {
    const list = given.get(name)
    return Array.isArray(list) ? list.map(String) : []
  }
  const { signature } = found
  const after = isSame(call.to, safe) ? controlAfter(control, { signature, argument }) : control
  const described = found.describe({ call, ...terms, after, argument, listArgument })
  const paysByValue = signature.selector === deposit.selector
  return { effect: paysByValue ? described : withCoin(described, call, terms.assetOf), after }
}

/** The effect of a call that is no known function. */
function plainEffect(call: DecodedCall, { assetOf }: Terms): Effect {
  if (call.readBy === null) {
    return {
      ...effect('Unknown effect: no decoder knows this call.', { Target: call.to }),
      isUnknown: true,
    }
  }
  if (call.readBy === 'COIN') {
    return effect(`Send ${amountOf(call.value, assetOf('native'))}.`, { Recipient: call.to }, [
      { asset: 'native', to: call.to },
    ])
  }
  if (call.readBy === 'COMMITMENT') {
    return effect('Commit the Safe to a policy. This moves no funds.')
  }
  if (call.data.startsWith(multiSend.selector)) {
    return {
      ...effect('Run a batch of calls stored in another contract.', { Target: call.to }),
      isUnknown: true,
    }
  }
  const addresses = { Target: call.to, ...addressesIn(call) }
  return withCoin(effect(plainWords(call, assetOf), addresses), call, assetOf)
}

/** All addresses in the arguments of a call, labeled with the name of the argument. */
function addressesIn({ arguments: given }: DecodedCall): Record<string, string> {
  const found = (given ?? []).flatMap(({ name, value }) => {
    const addresses = String(value).match(/\b0x[0-9a-fA-F]{40}\b/g) ?? []
    return addresses.map((address, index) => {
      const label = `Argument ${name || 'without a name'}`
      return [addresses.length > 1 ? `${label}, address ${index + 1}` : label, address] as const
    })
  })
  return Object.fromEntries(found)
}

/** Adds the native coin that a call sends to its target. */
function withCoin(found: Effect, { value, to }: DecodedCall, assetOf: Assets): Effect {
  if (!/^\d+$/.test(value) || BigInt(value) === 0n) return found
  return {
    ...found,
    text: `${found.text} It also sends ${amountOf(value, assetOf('native'))} to the target.`,
    addresses: [...found.addresses, { label: 'Paid target', address: to }],
    payments: [...found.payments, { asset: 'native', to }],
  }
}

/**
 * The sentence of the service. It formats only amounts that name their token: other integers can be
 * times or token IDs.
 */
function plainWords({ words }: DecodedCall, assetOf: Assets): string {
  return words
    .replace(/, with \d+ wei\b/, '')
    .replace(
      /\b(\d+) of (?:the base |the quote )?(0x[0-9a-fA-F]{40})\b/g,
      (_, atoms: string, token: string) => {
        const asset = assetOf(token)
        return asset
          ? `${amountOf(atoms, asset)} (${token})`
          : `${grouped(atoms)} smallest units of ${token}`
      },
    )
}

/** An address in groups of four characters, as readers compare it. */
export const inFours = (address: string): string =>
  address
    .replace(/^0x/, '')
    .match(/.{1,4}/g)
    ?.join(' ') ?? address
