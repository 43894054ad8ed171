import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Hex } from 'viem'

const require = createRequire(import.meta.url)
const v3Core = '@uniswap/v3-core/artifacts/contracts'
const v3Periphery = '@uniswap/v3-periphery/artifacts/contracts'
const safe = '@safe-global/safe-contracts/build/artifacts'
const zeppelin = '@openzeppelin/contracts/build/contracts'
const safe13 = '@gnosis.pm/safe-contracts/build/artifacts/contracts'

/** Paths of the authors' builds in their published packages. */
const paths = {
  UniswapV2Factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  UniswapV2Pair: '@uniswap/v2-core/build/UniswapV2Pair.json',
  UniswapV2Router02: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
  WETH9: '@uniswap/v2-periphery/build/WETH9.json',
  DeflatingERC20: '@uniswap/v2-periphery/build/DeflatingERC20.json',
  UniswapV3Factory: `${v3Core}/UniswapV3Factory.sol/UniswapV3Factory.json`,
  UniswapV3Pool: `${v3Core}/UniswapV3Pool.sol/UniswapV3Pool.json`,
  SwapRouter: `${v3Periphery}/SwapRouter.sol/SwapRouter.json`,
  NonfungiblePositionManager: `${v3Periphery}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`,
  QuoterV2: `${v3Periphery}/lens/QuoterV2.sol/QuoterV2.json`,
  UniswapInterfaceMulticall: `${v3Periphery}/lens/UniswapInterfaceMulticall.sol/UniswapInterfaceMulticall.json`,
  Safe: `${safe}/contracts/Safe.sol/Safe.json`,
  SafeProxyFactory: `${safe}/contracts/proxies/SafeProxyFactory.sol/SafeProxyFactory.json`,
  MultiSend: `${safe}/contracts/libraries/MultiSend.sol/MultiSend.json`,
  MultiSendCallOnly: `${safe}/contracts/libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json`,
  CompatibilityFallbackHandler: `${safe}/contracts/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json`,
  SafeL2: `${safe}/contracts/SafeL2.sol/SafeL2.json`,
  SignMessageLib: `${safe}/contracts/libraries/SignMessageLib.sol/SignMessageLib.json`,
  GnosisSignMessageLib: `${safe13}/examples/libraries/SignMessage.sol/SignMessageLib.json`,
  GnosisSafe: `${safe13}/GnosisSafe.sol/GnosisSafe.json`,
  GnosisSafeL2: `${safe13}/GnosisSafeL2.sol/GnosisSafeL2.json`,
  GnosisSafeProxyFactory: `${safe13}/proxies/GnosisSafeProxyFactory.sol/GnosisSafeProxyFactory.json`,
  GnosisCompatibilityFallbackHandler: `${safe13}/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json`,
  OpenZeppelinERC20: `${safe}/@openzeppelin/contracts/token/ERC20/ERC20.sol/ERC20.json`,
  ERC20PresetMinterPauser: `${zeppelin}/ERC20PresetMinterPauser.json`,
  ProxyAdmin: `${zeppelin}/ProxyAdmin.json`,
  TransparentUpgradeableProxy: `${zeppelin}/TransparentUpgradeableProxy.json`,
  UpgradeableBeacon: `${zeppelin}/UpgradeableBeacon.json`,
  BeaconProxy: `${zeppelin}/BeaconProxy.json`,
  VestingWallet: `${zeppelin}/VestingWallet.json`,
  SablierV2LockupLinear: '@sablier/v2-core/artifacts/SablierV2LockupLinear.json',
  SablierV2LockupTranched: '@sablier/v2-core/artifacts/SablierV2LockupTranched.json',
  GPv2Settlement: '@cowprotocol/contracts/deployments/mainnet/GPv2Settlement.json',
  GPv2AllowListAuthentication:
    '@cowprotocol/contracts/deployments/mainnet/GPv2AllowListAuthentication_Implementation.json',
  TimelockController: `${zeppelin}/TimelockController.json`,
} as const

export type ArtifactName = keyof typeof paths

/**
 * An original build: creation code for the constructor, and deployed code (immutables still zero).
 */
export type Artifact = { readonly bytecode: Hex; readonly deployedBytecode: Hex }

/** Foundry nests the code of a build one level deeper. */
type Code = string | { readonly object: string }

type Build = {
  readonly bytecode: Code
  readonly deployedBytecode?: Code
  readonly evm?: { readonly deployedBytecode: { readonly object: string } }
}

const codeOf = (code: Code): string => (typeof code === 'string' ? code : code.object)
const prefixed = (code: string): Hex => (code.startsWith('0x') ? (code as Hex) : `0x${code}`)

/** Reads a genuine contract's bytecode out of the npm package that publishes it. */
export function artifact(name: ArtifactName): Artifact {
  const build: Build = JSON.parse(readFileSync(require.resolve(paths[name]), 'utf8'))
  const deployed = codeOf(build.deployedBytecode ?? build.evm?.deployedBytecode.object ?? '')
  return { bytecode: prefixed(codeOf(build.bytecode)), deployedBytecode: prefixed(deployed) }
}

/** Path of the anvil binary that npm installed for this platform; no install script is involved. */
export function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return require.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil${suffix}`)
}
