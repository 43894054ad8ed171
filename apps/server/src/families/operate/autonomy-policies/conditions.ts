import type { contract } from '@liquidity-os/contract'
import type { PolicyTerms } from '@liquidity-os/engine/policy'
import { type AbiParameter, type Address, encodeAbiParameters, type Hex, toHex } from 'viem'
import { keccak256 } from '../../../keccak256.ts'
import { abiOf, type Declared, parameterName } from '../../../market/adapters/decode-call.ts'
import { textAfterLast } from '../../../texts.ts'

type Flat = contract.ConditionFlat
type Pair = contract.QualifiedVault['pair']

/** A condition of the Roles modifier as a tree; `name` labels it in verdicts. */
export interface Condition {
  readonly paramType: Flat['paramType']
  readonly operator: Flat['operator']
  readonly compValue: Hex
  readonly name: string
  readonly children: readonly Condition[]
}

const word = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value])
const addressWord = (value: string): Hex =>
  encodeAbiParameters([{ type: 'address' }], [value as Address])
const node = (
  paramType: Condition['paramType'],
  operator: Condition['operator'],
  name: string,
  children: readonly Condition[] = [],
  compValue: Hex = '0x',
): Condition => ({ paramType, operator, compValue, name, children })

const keyOf = (text: string) => keccak256(toHex(text))
/** On-chain role key of a policy, per vault and control epoch. */
export const roleKeyOf = ({ vaultId, controlEpoch }: PolicyTerms) =>
  keyOf(`liquidity-os/role/${vaultId}/epoch/${controlEpoch}`)
export const allowanceKeyOf = ({ vaultId, controlEpoch }: PolicyTerms, asset: string) =>
  keyOf(`liquidity-os/allowance/${vaultId}/epoch/${controlEpoch}/${asset}`)
export const pauseKeyOf = (terms: PolicyTerms) => allowanceKeyOf(terms, 'actions')

/**
 * Policy cap in atoms of an asset. The quote uses the cap directly. The base converts at the
 * highest allowed price, rounded down, so its value never exceeds the cap. Null without a price
 * bound.
 */
export function capIn(terms: PolicyTerms, pair: Pair, asset: string, cap: bigint): bigint | null {
  if (sameAddress(asset, pair.quote)) return cap
  if (!sameAddress(asset, pair.base) || terms.maximumPriceX18 === null) return null
  return terms.maximumPriceX18 === 0n ? 0n : (cap * 10n ** 18n) / terms.maximumPriceX18
}

const sameAddress = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

type Conditioned = Pick<Declared, 'signature' | 'roles' | 'zeros'>

/**
 * Conditions on the arguments of an adapter function under a policy. One branch per permitted input
 * asset.
 *
 * @param spenders contracts that may receive an allowance; default: the approved contracts
 */
export function conditionsOf(
  terms: PolicyTerms,
  pair: Pair,
  declared: Conditioned,
  spenders: readonly string[] = terms.approvedContracts,
): Condition {
  const abi = abiOf(declared)
  const { tokenIn } = declared.roles
  const isSplit = tokenIn !== undefined && !tokenIn.includes('.first')
  const assets: (string | null)[] = isSplit ? [...terms.approvedAssets] : [null]
  const branches = assets.map((asset) => {
    const about = { terms, pair, declared, asset, spenders }
    const children = abi.inputs.map((input) => leaf(about, input, ''))
    return node('Calldata', 'Matches', 'calldata', children)
  })
  const [only] = branches
  const any = branches.length === 1 && only ? only : node('None', 'Or', 'tokenIn', branches)
  if (terms.minimumSecondsBetweenActions === 0) return any
  const pause = node('None', 'CallWithinAllowance', 'interval', [], pauseKeyOf(terms))
  return node('None', 'And', 'call', [pause, any])
}

interface About {
  readonly terms: PolicyTerms
  readonly pair: Pair
  readonly declared: Conditioned
  /** Input token of the branch; null if the calldata has no separate field for it. */
  readonly asset: string | null
  readonly spenders: readonly string[]
}

function leaf(about: About, input: AbiParameter, above: string): Condition {
  const name = parameterName(input)
  const path = above === '' ? name : `${above}.${name}`
  if ('components' in input && input.type === 'tuple') {
    const children = input.components.map((inner) => leaf(about, inner, path))
    return node('Tuple', 'Matches', path, children)
  }
  if (input.type.endsWith('[]')) return listLeaf(about, path)
  if (input.type === 'bytes' || input.type === 'string') return node('Dynamic', 'Pass', path)
  return staticLeaf(about, path)
}

/** A token path. Every token in it must be approved. */
function listLeaf({ terms, declared: { roles } }: About, path: string): Condition {
  const isOfTokens = tokenPaths(roles).some((role) => role.startsWith(`${path}.`))
  const item = node('Static', 'Pass', path)
  return isOfTokens
    ? node('Array', 'ArrayEvery', path, [oneOf(terms.approvedAssets, path)])
    : node('Array', 'Pass', path, [item])
}

/** Paths of token arguments. */
const tokenPaths = ({ tokenIn, tokenOut, amountsIn = [], amountsOut = [] }: Declared['roles']) =>
  [tokenIn, tokenOut, ...[...amountsIn, ...amountsOut].map(({ token }) => token)].filter(
    (path) => path !== undefined,
  )

function staticLeaf(about: About, path: string): Condition {
  const { terms, asset, declared } = about
  const { tokenIn, recipient, owner, payee, spender, amountIn, deadline } = declared.roles
  if (declared.zeros.includes(path)) return node('Static', 'EqualTo', path, [], word(0n))
  if (path === recipient || path === owner) return node('Static', 'EqualToAvatar', path)
  if (path === spender) return oneOf(about.spenders, path)
  if (path === payee) return oneOf(terms.approvedContracts, path)
  if (path === tokenIn) {
    return asset === null ? oneOf(terms.approvedAssets, path) : equalTo(asset, path)
  }
  if (tokenPaths(declared.roles).includes(path)) return oneOf(terms.approvedAssets, path)
  if (path === deadline) {
    const ends = BigInt(Date.parse(terms.expiresAt) / 1000)
    return node('Static', 'LessThan', path, [], word(ends + 1n))
  }
  return path === amountIn ? amountLeaf(about, path) : node('Static', 'Pass', path)
}

function amountLeaf({ terms, pair, asset }: About, path: string): Condition {
  if (asset === null) return node('Static', 'Pass', path)
  const each = capIn(terms, pair, asset, terms.maximumAmountPerTransaction)
  const daily = capIn(terms, pair, asset, terms.maximumDailyTurnover)
  if (each === null || daily === null) return node('Static', 'Pass', path)
  return node('None', 'And', path, [
    // The operator is strict.
    node('Static', 'LessThan', path, [], word(each + 1n)),
    node('Static', 'WithinAllowance', path, [], allowanceKeyOf(terms, asset)),
  ])
}

const equalTo = (address: string, path: string) =>
  node('Static', 'EqualTo', path, [], addressWord(address))
const oneOf = (addresses: readonly string[], path: string): Condition => {
  const [only, ...others] = addresses
  if (only !== undefined && others.length === 0) return equalTo(only, path)
  return node(
    'None',
    'Or',
    path,
    addresses.map((address) => equalTo(address, path)),
  )
}

const containers: readonly Declared['kind'][] = ['MULTICALL', 'ROUTER', 'BATCH']

/**
 * True if conditions on arguments alone bound a function. They cannot look into nested calls, into a
 * packed path, or at the owner of a position that the function pays into.
 */
export function isBoundByArguments({ kind, roles, signature }: Declared): boolean {
  const isPacked = signature.includes('bytes path')
  const paysPosition = kind === 'ADD' && roles.positionId !== undefined
  return !containers.includes(kind) && !paysPosition && !isPacked
}

/** Breadth first, each with the index of its parent; the root is its own parent. */
export function flattened(root: Condition): Flat[] {
  const queue: { readonly condition: Condition; readonly parent: number }[] = [
    { condition: root, parent: 0 },
  ]
  for (let index = 0; index < queue.length; index += 1) {
    const { children } = (queue[index] as (typeof queue)[number]).condition
    queue.push(...children.map((condition) => ({ condition, parent: index })))
  }
  return queue.map(({ condition: { paramType, operator, compValue }, parent }) => ({
    parent,
    paramType,
    operator,
    compValue,
  }))
}

/** Result of a condition on decoded arguments; `refused` names the innermost failed condition. */
export type Verdict =
  | { readonly holds: true }
  | { readonly holds: false; readonly path: string; readonly operator: Flat['operator'] }
const holds: Verdict = { holds: true }

/**
 * Evaluates a condition on decoded arguments like the modifier, assuming full allowances.
 *
 * @param avatar the Safe
 */
export function evaluateCondition(condition: Condition, value: unknown, avatar: string): Verdict {
  const { operator, compValue, name, children } = condition
  const refused: Verdict = { holds: false, path: name, operator }
  switch (operator) {
    case 'And':
      return firstRefused(children.map((child) => evaluateCondition(child, value, avatar)))
    case 'Or': {
      const verdicts = children.map((child) => evaluateCondition(child, value, avatar))
      return verdicts.some((one) => one.holds) ? holds : (deepest(verdicts) ?? refused)
    }
    case 'Matches':
      return firstRefused(
        children.map((child) => evaluateCondition(child, memberOf(value, child.name), avatar)),
      )
    case 'ArrayEvery': {
      const items = Array.isArray(value) ? value : []
      const [each] = children
      const isEach = each && items.every((item) => evaluateCondition(each, item, avatar).holds)
      return items.length > 0 && isEach ? holds : refused
    }
    case 'EqualToAvatar':
      return `${value}`.toLowerCase() === avatar.toLowerCase() ? holds : refused
    case 'EqualTo':
      return wordOf(value) === compValue ? holds : refused
    case 'LessThan':
      return isInteger(value) && BigInt(value) < BigInt(compValue) ? holds : refused
    case 'Pass':
    case 'WithinAllowance':
    case 'CallWithinAllowance':
      return holds
  }
}

/** Types up to 48 bits are decoded as numbers. */
const isInteger = (value: unknown): value is bigint | number =>
  typeof value === 'bigint' || Number.isSafeInteger(value)

const wordOf = (value: unknown): Hex =>
  typeof value === 'bigint' ? word(value) : addressWord(`${value}`)

const memberOf = (value: unknown, path: string) =>
  (value as Record<string, unknown> | undefined)?.[textAfterLast(path, '.')]

const firstRefused = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.find((one) => !one.holds) ?? holds
/** The branch with the innermost failure gives the most specific reason. */
const deepest = (verdicts: readonly Verdict[]): Verdict | undefined =>
  verdicts
    .filter((one) => !one.holds)
    .toSorted((a, b) => ('path' in b ? b.path.length : 0) - ('path' in a ? a.path.length : 0))[0]
