import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  pad,
  parseAbi,
  stringToHex,
  zeroAddress,
} from 'viem'
import { artifact } from './artifacts.ts'
import type { Localchain } from './localchain.ts'

/** Where everybody deploys by CREATE2; anvil has it from the beginning. */
const create2Factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
/**
 * CREATE2 salt that the authors used to deploy the settlement contract at one address on every
 * chain.
 */
export const settlementSalt: Hex = pad(stringToHex('Mattresses in Berlin!'), {
  size: 32,
  dir: 'right',
})

const solversAbi = parseAbi([
  'function initializeManager(address manager)',
  'function addSolver(address solver)',
])
const relayerAbi = parseAbi(['function vaultRelayer() view returns (address)'])

/** The genuine contracts of GPv2, which settle signed orders against each other. */
export type Settlement = {
  readonly settlement: Address
  /** Who moves what is sold: allowances are given to it. */
  readonly relayer: Address
  readonly authenticator: Address
}

/** Init code of the settlement contract with its constructor arguments. */
export const settlementInitCode = (authenticator: Address, vault: Address): Hex =>
  concatHex([
    artifact('GPv2Settlement').bytecode,
    encodeAbiParameters([{ type: 'address' }, { type: 'address' }], [authenticator, vault]),
  ])

/** Where init code ends that is deployed by CREATE2. */
export const create2Address = (initCode: Hex, salt: Hex): Address =>
  getCreate2Address({ from: create2Factory, bytecode: initCode, salt })

async function deployOnce(chain: Localchain, initCode: Hex, salt: Hex): Promise<Address> {
  const address = create2Address(initCode, salt)
  const code = await chain.publicClient.getCode({ address })
  if (code === undefined) {
    const data = concatHex([salt, initCode])
    await chain.send({ from: chain.accounts[0]!.address, to: create2Factory, data })
  }
  return address
}

/**
 * Deploys GPv2 at addresses that do not depend on other chain state, with the first account as
 * manager of its solvers. Balancer vault balances are unused, so no vault exists.
 *
 * @param solver account with the right to settle
 */
export async function deploySettlement(chain: Localchain, solver: Address): Promise<Settlement> {
  const manager = chain.accounts[0]!.address
  const none = pad('0x', { size: 32 })
  const list = artifact('GPv2AllowListAuthentication').bytecode
  const authenticator = await deployOnce(chain, list, none)
  const settlement = await deployOnce(chain, settlementInitCode(authenticator, zeroAddress), none)
  const callAuthenticator = (functionName: 'initializeManager' | 'addSolver', account: Address) =>
    chain.send({
      from: manager,
      to: authenticator,
      data: encodeFunctionData({ abi: solversAbi, functionName, args: [account] }),
    })
  await callAuthenticator('initializeManager', manager)
  await callAuthenticator('addSolver', solver)
  const relayer = await chain.publicClient.readContract({
    address: settlement,
    abi: relayerAbi,
    functionName: 'vaultRelayer',
  })
  return { settlement, relayer, authenticator }
}
