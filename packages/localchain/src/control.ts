import {
  type Abi,
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { artifact } from './artifacts.ts'
import type { Localchain } from './localchain.ts'

/** Who may do what with a token: OpenZeppelin's own builds of owners, roles, timelocks and proxies. */

type Deployer = Pick<Localchain, 'deploy'>

export const controlAbi = parseAbi([
  'function owner() view returns (address)',
  'function transferOwnership(address newOwner)',
  'function MINTER_ROLE() view returns (bytes32)',
  'function grantRole(bytes32 role, address account)',
  'function revokeRole(bytes32 role, address account)',
  'function PROPOSER_ROLE() view returns (bytes32)',
])

/** Deploys a token whose deployer, the first account, has every role and can give it away; the contract lists holders. */
export function deployRoleToken(chain: Deployer, symbol: string): Promise<Address> {
  const encoded = encodeAbiParameters(parseAbiParameters('string, string'), [symbol, symbol])
  return chain.deploy(concatHex([artifact('ERC20PresetMinterPauser').bytecode, encoded]))
}

/** Deploys an admin of proxies, which is owned by the first account. */
export const deployProxyAdmin = (chain: Deployer): Promise<Address> =>
  chain.deploy(artifact('ProxyAdmin').bytecode)

/** Deploys a proxy of code that only its admin may change. */
export function deployTransparentProxy(
  chain: Deployer,
  implementation: Address,
  admin: Address,
): Promise<Address> {
  const encoded = encodeAbiParameters(parseAbiParameters('address, address, bytes'), [
    ...([implementation, admin, '0x'] as const),
  ])
  return chain.deploy(concatHex([artifact('TransparentUpgradeableProxy').bytecode, encoded]))
}

/** Deploys a beacon, which is owned by the first account, and a proxy that runs what it names. */
export async function deployBeaconProxy(
  chain: Deployer,
  implementation: Address,
): Promise<{ readonly beacon: Address; readonly proxy: Address }> {
  const named = encodeAbiParameters(parseAbiParameters('address'), [implementation])
  const beacon = await chain.deploy(concatHex([artifact('UpgradeableBeacon').bytecode, named]))
  const encoded = encodeAbiParameters(parseAbiParameters('address, bytes'), [beacon, '0x'])
  const proxy = await chain.deploy(concatHex([artifact('BeaconProxy').bytecode, encoded]))
  return { beacon, proxy }
}

/** Deploys the minimal proxy of EIP-1167, whose code the standard gives byte by byte. */
export function deployMinimalProxy(chain: Deployer, implementation: Address): Promise<Address> {
  const parts: Hex[] = ['0x3d602d80600a3d3981f3363d3d373d3d3d363d73', implementation]
  return chain.deploy(concatHex([...parts, '0x5af43d82803e903d91602b57fd5bf3']))
}

/**
 * Deploys a timelock that administers itself.
 *
 * @param minDelay seconds between proposal and execution at least
 * @param executors the zero address is everybody
 */
export function deployTimelock(
  chain: Deployer,
  terms: {
    readonly minDelay: bigint
    readonly proposers: readonly Address[]
    readonly executors: readonly Address[]
  },
): Promise<Address> {
  const encoded = encodeAbiParameters(
    parseAbiParameters('uint256, address[], address[], address'),
    [
      terms.minDelay,
      terms.proposers,
      terms.executors,
      '0x0000000000000000000000000000000000000000',
    ],
  )
  return chain.deploy(concatHex([artifact('TimelockController').bytecode, encoded]))
}

/** Sends one of the calls of `controlAbi`. */
export function sendControl(
  chain: Pick<Localchain, 'send'>,
  from: Address,
  to: Address,
  call: { readonly functionName: string; readonly args: readonly unknown[] },
) {
  // The names are those of the interface above; a wrong one fails where it is encoded.
  const data = encodeFunctionData({ abi: controlAbi as Abi, ...call })
  return chain.send({ from, to, data })
}
