import {
  controlAbi,
  deployProxyAdmin,
  deployRoleToken,
  deployTimelock,
  deployTransparentProxy,
  signSafeMessage,
} from '@liquidity-os/localchain'
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  numberToHex,
  publicActions,
  zeroAddress,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/**
 * On the demo's chain: a token whose code belongs to a Safe, behind a proxy admin and a timelock of two days.
 *
 *     node docs/examples/controlled-token.ts <rpcUrl> make <safe>            prints token, proxy admin and timelock
 *     node docs/examples/controlled-token.ts <rpcUrl> sign <safe> <digest>   prints the signatures of two owners
 */
const [rpcUrl = '', command = '', safe = '', digest = ''] = process.argv.slice(2)
const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
const accounts = Array.from({ length: 3 }, (_, addressIndex) =>
  mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex,
  }),
)
const [deployer, ...owners] = accounts

async function send(call: { to?: Address; data: Hex }) {
  const from = { from: deployer!.address, gas: numberToHex(5_000_000) }
  // Accounts of this chain are unlocked, which viem's types do not know.
  const request = client.request as (call: object) => Promise<unknown>
  const params = [{ ...from, ...call }]
  const hash = (await request({ method: 'eth_sendTransaction', params })) as Hex
  return client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
}

async function make(): Promise<void> {
  const chain = {
    deploy: async (data: Hex) => getAddress((await send({ data })).contractAddress ?? ''),
  }
  const admin = await deployProxyAdmin(chain)
  const timelock = await deployTimelock(chain, {
    minDelay: 172_800n,
    proposers: [safe as Address],
    executors: [zeroAddress],
  })
  const token = await deployTransparentProxy(chain, await deployRoleToken(chain, 'TOKEN'), admin)
  const handed = { abi: controlAbi, functionName: 'transferOwnership', args: [timelock] } as const
  await send({ to: admin, data: encodeFunctionData(handed) })
  // What was read is final two blocks later on this chain.
  await client.mine({ blocks: 3 })
  process.stdout.write(`${token} ${admin} ${timelock}\n`)
}

if (command === 'make') await make()
else if (command === 'sign') {
  const chainId = await client.getChainId()
  const signatures = await signSafeMessage(chainId, safe as Address, digest as Hex, owners)
  process.stdout.write(`${signatures}\n`)
} else throw new Error('Say make or sign.')
