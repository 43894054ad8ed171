import { exactDecimal } from '../fields/numbers.ts'
import type { Asset, Assets } from '../fields/units.tsx'

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

/** Owners and threshold of a Safe before the calls. */
export interface Control {
  owners: readonly string[]
  threshold: number
}

/** Effect of a call: a sentence, and the full addresses to compare. */
export interface Effect {
  text: string
  addresses: readonly { label: string; address: string }[]
  /** True if the effect is unknown. */
  isUnknown: boolean
}

interface Context {
  call: DecodedCall
  control: Control
  assetOf: Assets
  argument: (name: string) => string
}

/** From this amount on an approval has no practical limit. */
const unlimited = 1n << 255n

const effect = (text: string, addresses: Record<string, string> = {}): Effect => ({
  text,
  addresses: Object.entries(addresses).map(([label, address]) => ({ label, address })),
  isUnknown: false,
})

function amountOf(atoms: string, asset: Asset | null): string {
  if (!/^\d+$/.test(atoms)) return atoms
  return asset
    ? `${exactDecimal(BigInt(atoms), asset.decimals)} ${asset.symbol}`
    : `${exactDecimal(BigInt(atoms), 0)} smallest units of the token`
}

const tokenAmount = ({ call, assetOf }: Context, atoms: string) => amountOf(atoms, assetOf(call.to))

function required(threshold: string, owners: number, { control }: Context): string {
  const before = `${control.threshold} of ${control.owners.length}`
  const after = `${threshold} of ${owners}`
  return before === after
    ? `Required signatures stay at ${after}.`
    : `Required signatures: ${before} becomes ${after}.`
}

/** Sentences of known functions. An unknown function shows its target and call data. */
const known: Readonly<Record<string, (context: Context) => Effect>> = {
  addOwnerWithThreshold: (it) =>
    effect(
      `Add an owner to the Safe. ${required(it.argument('threshold'), it.control.owners.length + 1, it)}`,
      { 'New owner': it.argument('owner') },
    ),
  removeOwner: (it) =>
    effect(
      `Remove an owner from the Safe. ${required(it.argument('threshold'), it.control.owners.length - 1, it)}`,
      { 'Removed owner': it.argument('owner') },
    ),
  swapOwner: (it) =>
    effect('Replace an owner of the Safe. The required signatures do not change.', {
      'Old owner': it.argument('oldOwner'),
      'New owner': it.argument('newOwner'),
    }),
  changeThreshold: (it) =>
    effect(
      `Change the required signatures. ${required(it.argument('threshold'), it.control.owners.length, it)}`,
    ),
  enableModule: (it) =>
    effect('Enable a module. It can then move funds without signatures of the owners.', {
      Module: it.argument('module'),
    }),
  disableModule: (it) => effect('Disable a module.', { Module: it.argument('module') }),
  setGuard: (it) =>
    effect('Set the transaction guard of the Safe.', { Guard: it.argument('guard') }),
  transfer: (it) =>
    effect(`Send ${tokenAmount(it, it.argument('amount'))}.`, {
      Recipient: it.argument('to'),
      Token: it.call.to,
    }),
  transferFrom: (it) =>
    effect(`Move ${tokenAmount(it, it.argument('amount'))} between two accounts.`, {
      From: it.argument('from'),
      To: it.argument('to'),
      Token: it.call.to,
    }),
  approve: (it) => {
    const amount = it.argument('amount')
    const isUnlimited = /^\d+$/.test(amount) && BigInt(amount) >= unlimited
    const limit = isUnlimited
      ? `any amount of ${it.assetOf(it.call.to)?.symbol ?? 'the token'}`
      : `up to ${tokenAmount(it, amount)}`
    return effect(amount === '0' ? 'Revoke an allowance.' : `Allow a contract to spend ${limit}.`, {
      Spender: it.argument('spender'),
      Token: it.call.to,
    })
  },
}

/** Other names of the arguments in published interfaces. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  threshold: ['_threshold'],
  amount: ['value', 'wad', '_value'],
  to: ['recipient', '_to', 'dst'],
  from: ['sender', '_from', 'src'],
  spender: ['_spender', 'guy'],
}

/** The effect of a call as a sentence. */
export function effectOf(call: DecodedCall, control: Control, assetOf: Assets): Effect {
  let isComplete = true
  const argument = (name: string) => {
    const names = [name, ...(otherNames[name] ?? [])]
    const found = call.arguments?.find((one) => names.includes(one.name))
    if (found === undefined) isComplete = false
    return String(found?.value)
  }
  const describe = call.functionName === null ? undefined : known[call.functionName]
  if (call.readBy !== null && describe) {
    const described = describe({ call, control, assetOf, argument })
    // An interface with other names of arguments has only the sentence of the service.
    if (isComplete) return withCoin(described, call, assetOf)
  }
  if (call.readBy === 'COIN')
    return effect(`Send ${amountOf(call.value, assetOf('native'))}.`, { Recipient: call.to })
  if (call.readBy === null) {
    return {
      ...effect('Unknown effect: no decoder knows this call.', { Target: call.to }),
      isUnknown: true,
    }
  }
  return withCoin(effect(plainWords(call, assetOf), { Target: call.to }), call, assetOf)
}

/** Adds the native coin that a call sends to its target. */
function withCoin(found: Effect, { value, to }: DecodedCall, assetOf: Assets): Effect {
  if (!/^\d+$/.test(value) || BigInt(value) === 0n) return found
  return {
    ...found,
    text: `${found.text} It also sends ${amountOf(value, assetOf('native'))} to the target.`,
    addresses: [...found.addresses, { label: 'Paid target', address: to }],
  }
}

/** Integers in atomic units are marked, because the sentence of the service has no units. */
function plainWords({ words, arguments: given }: DecodedCall, assetOf: Assets): string {
  const tokens = (given ?? []).flatMap(({ value }) => assetOf(String(value)) ?? [])
  const [token] = tokens
  const isOne = token !== undefined && tokens.every(({ symbol }) => symbol === token.symbol)
  return words
    .replace(/, with \d+ wei\b/, '')
    .replace(/\b\d{7,}\b/g, (atoms) =>
      isOne ? amountOf(atoms, token) : `${exactDecimal(BigInt(atoms), 0)} smallest units`,
    )
}

/** An address in groups of four characters, as readers compare it. */
export const inFours = (address: string): string =>
  address
    .replace(/^0x/, '')
    .match(/.{1,4}/g)
    ?.join(' ') ?? address
