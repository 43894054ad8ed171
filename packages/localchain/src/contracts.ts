import {
  type Address,
  concatHex,
  encodeAbiParameters,
  getAddress,
  type Hex,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { type ArtifactName, artifact } from './artifacts.ts'
import { payerInitCode } from './payer.ts'
import type { Send } from './transactions.ts'

/** Addresses of the genuine contracts, the same at every start. */
export type Contracts = {
  readonly weth9: Address
  readonly uniswapV2Factory: Address
  readonly uniswapV2Router: Address
  readonly uniswapV3Factory: Address
  readonly swapRouter: Address
  readonly positionManager: Address
  readonly quoter: Address
  readonly safeSingleton: Address
  readonly safeProxyFactory: Address
  readonly multiSend: Address
  readonly multiSendCallOnly: Address
  readonly fallbackHandler: Address
  /** See payer.ts. */
  readonly payer: Address
}

/** Sends init code and returns the address of the contract it leaves. */
export async function deploy(send: Send, from: Address, initCode: Hex): Promise<Address> {
  const { contractAddress } = await send({ from, data: initCode })
  if (contractAddress === null) throw new Error('the transaction created no contract')
  return getAddress(contractAddress)
}

/**
 * Deploys everything in a fixed order from one account, so that nonces fix every address.
 *
 * @param send sender of an empty chain
 * @param deployer becomes owner of the v3 factory and fee setter of the v2 factory
 */
export async function deployContracts(send: Send, deployer: Address): Promise<Contracts> {
  const put = (name: ArtifactName, ...addresses: Address[]): Promise<Address> => {
    const parameters = addresses.map(() => ({ type: 'address' }))
    const encoded = encodeAbiParameters(parameters, addresses)
    return deploy(send, deployer, concatHex([artifact(name).bytecode, encoded]))
  }
  const weth9 = await put('WETH9')
  const uniswapV2Factory = await put('UniswapV2Factory', deployer)
  const uniswapV2Router = await put('UniswapV2Router02', uniswapV2Factory, weth9)
  const uniswapV3Factory = await put('UniswapV3Factory')
  return {
    weth9,
    uniswapV2Factory,
    uniswapV2Router,
    uniswapV3Factory,
    swapRouter: await put('SwapRouter', uniswapV3Factory, weth9),
    // Without a descriptor only `tokenURI` is missing, the picture of a position.
    positionManager: await put('NonfungiblePositionManager', uniswapV3Factory, weth9, zeroAddress),
    quoter: await put('QuoterV2', uniswapV3Factory, weth9),
    safeSingleton: await put('Safe'),
    safeProxyFactory: await put('SafeProxyFactory'),
    multiSend: await put('MultiSend'),
    multiSendCallOnly: await put('MultiSendCallOnly'),
    fallbackHandler: await put('CompatibilityFallbackHandler'),
    payer: await deploy(send, deployer, payerInitCode),
  }
}

/** Init code of the genuine token that burns one part in a hundred of every transfer. */
export function deflatingTokenInitCode(supply: bigint): Hex {
  const encoded = encodeAbiParameters(parseAbiParameters('uint256'), [supply])
  return concatHex([artifact('DeflatingERC20').bytecode, encoded])
}
