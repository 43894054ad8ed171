import {
  type Abi,
  type AbiFunction,
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseAbi,
} from 'viem'
import {
  type KnownCode,
  maskedCodeHash,
  positionManagerCode,
  swapRouterCode,
  uniswapV3PoolCode,
  v2RouterCode,
  weth9Code,
} from '../../../integrations/chain/known-code.ts'
import {
  poolActionsAbi,
  positionManagerAbi,
  swapRouterAbi,
  v2FactoryActionsAbi,
  v2RouterAbi,
} from '../../../integrations/chain/periphery-abis.ts'
import { parameterName } from '../../../market/adapters/decode-call.ts'

/** A call decoded by a published interface. */
export interface StandardCall {
  readonly abi: AbiFunction
  /** By argument names of the interface. */
  readonly args: Readonly<Record<string, unknown>>
  readonly kind: 'TOKEN' | 'SAFE' | 'VENUE'
  /** True if the target runs a published build, so that its behavior matches the interface. */
  readonly isKnownCode: boolean
}

const tokenAbi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transferFrom(address from, address to, uint256 amount) returns (bool)',
])

/** Calls of a Safe to itself that change its control. */
const safeControlAbi = parseAbi([
  'function addOwnerWithThreshold(address owner, uint256 threshold)',
  'function removeOwner(address previous, address owner, uint256 threshold)',
  'function swapOwner(address previous, address oldOwner, address newOwner)',
  'function changeThreshold(uint256 threshold)',
  'function enableModule(address module)',
  'function disableModule(address previous, address module)',
  'function setGuard(address guard)',
  'function setModuleGuard(address moduleGuard)',
  'function setFallbackHandler(address handler)',
])

const wrappedAbi = parseAbi([
  'function deposit() payable',
  'function withdraw(uint256 amount)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transferFrom(address from, address to, uint256 amount) returns (bool)',
])

const builds: readonly (readonly [KnownCode, Abi, StandardCall['kind']])[] = [
  [positionManagerCode, positionManagerAbi, 'VENUE'],
  [swapRouterCode, swapRouterAbi, 'VENUE'],
  [v2RouterCode, v2RouterAbi, 'VENUE'],
  [uniswapV3PoolCode, poolActionsAbi, 'VENUE'],
  [weth9Code, wrappedAbi, 'TOKEN'],
]

export interface Target {
  readonly to: Address
  readonly code: Hex
  readonly safe: Address
  /** Factories of the vault's venues. */
  readonly factories: readonly Address[]
}

const buildOf = (code: Hex) => builds.find(([known]) => maskedCodeHash(code, known) === known.hash)

/**
 * Decodes a call by a published interface: the Safe, a contract with a published build, a venue's
 * factory, or a token. Calldata must encode back to the same bytes.
 */
export function standardCall(target: Target, data: Hex): StandardCall | null {
  const { to, code, safe, factories } = target
  if (to === safe) return readBy(safeControlAbi, data, 'SAFE', true)
  const build = buildOf(code)
  if (build) return readBy(build[1], data, build[2], true)
  if (factories.includes(to)) return readBy(v2FactoryActionsAbi, data, 'VENUE', false)
  return code === '0x' ? null : readBy(tokenAbi, data, 'TOKEN', false)
}

function readBy(
  abi: Abi,
  data: Hex,
  kind: StandardCall['kind'],
  isKnownCode: boolean,
): StandardCall | null {
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    if (encodeFunctionData({ abi, functionName, args }) !== data) return null
    const item = abi.find((one) => one.type === 'function' && one.name === functionName)
    if (item?.type !== 'function') return null
    const named = item.inputs.map((input, index) => [parameterName(input), args[index]] as const)
    return { abi: item, args: Object.fromEntries(named), kind, isKnownCode }
  } catch {
    return null
  }
}
