import {
  artifact,
  createSafe,
  deploySafe13,
  type Localchain,
  type SafeTransaction,
  safeExecutionData,
  safeMessageTypedData,
  signSafeMessage,
  signSafeTransaction,
  startLocalchain,
} from '@liquidity-os/localchain'
import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  keccak256,
  type LocalAccount,
  numberToHex,
  pad,
  parseAbi,
  size,
  slice,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainClient, chainClient } from './client.ts'
import { pinBlock } from './finalized.ts'
import { readHeader } from './header.ts'
import { readSafe } from './safe-account.ts'
import { checkSafeSignatures } from './safe-signatures.ts'

let chain: Localchain
let client: ChainClient
beforeAll(async () => {
  chain = await startLocalchain()
  client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000 })
})
afterAll(() => chain.stop())

const digest = keccak256(toHex('What the Safe signs'))
const abi = parseAbi([
  'function approveHash(bytes32 hash)',
  'function signMessage(bytes data)',
  'function setFallbackHandler(address handler)',
])

async function check(address: Address, signatures: Hex) {
  const pin = await pinBlock(client, await readHeader(client, 'latest'))
  const safe = await readSafe(client, pin, address)
  return checkSafeSignatures(client, pin, {
    chainId: chain.chainId,
    safe: safe!,
    digest,
    signatures,
  })
}

const messageHash = (safe: Address) =>
  hashTypedData(safeMessageTypedData(chain.chainId, safe, digest))
const sign = (safe: Address, ...signers: LocalAccount[]) =>
  signSafeMessage(chain.chainId, safe, digest, signers)
const byAddress = (one: { address: Address }, other: { address: Address }) =>
  BigInt(one.address) < BigInt(other.address) ? -1 : 1

/** Parts of packed signatures: static ones ascending, then the bytes of contracts that sign. */
const pack = (needed: number, parts: readonly { address: Address; part: Hex; tail?: Hex }[]) => {
  let tails: Hex = '0x'
  const statics = parts.toSorted(byAddress).map(({ part, tail }) => {
    if (tail === undefined) return part
    const at = needed * 65 + size(tails)
    tails = concatHex([tails, numberToHex(size(tail), { size: 32 }), tail])
    return concatHex([part, numberToHex(at, { size: 32 }), '0x00'])
  })
  return concatHex([...statics, tails])
}

describe.each(['1.3.0', '1.4.1'] as const)('signatures of a Safe %s', (version) => {
  let release: { release?: Awaited<ReturnType<typeof deploySafe13>> }
  let owners: LocalAccount[]
  let salt = 100n
  beforeAll(async () => {
    release = version === '1.3.0' ? { release: await deploySafe13(chain) } : {}
    owners = chain.accounts.slice(1, 4).toSorted(byAddress)
  })
  const create = (addresses: readonly Address[], threshold: number) => {
    salt += 1n
    return createSafe(chain, { owners: addresses, threshold, saltNonce: salt, ...release })
  }
  const twoOfThree = () =>
    create(
      owners.map(({ address }) => address),
      2,
    )

  it('are those of its threshold of owners, ascending', async () => {
    const safe = await twoOfThree()
    const [a, b, c] = owners as [LocalAccount, LocalAccount, LocalAccount]
    expect(await check(safe, await sign(safe, c, a))).toEqual({
      messageHash: messageHash(safe),
      signers: [a.address, c.address],
      fault: null,
    })
    // The contract looks at the first two; what follows is nobody's business.
    expect((await check(safe, await sign(safe, a, b, c))).signers).toEqual([a.address, b.address])
    const refused = async (signatures: Hex) => (await check(safe, signatures)).fault
    expect(await refused(await sign(safe, a))).toBe('2 signatures required, got 65 bytes')
    const [one, two] = [await sign(safe, a), await sign(safe, b)]
    expect(await refused(concatHex([two, one]))).toContain('signature 1 is not in ascending order')
    expect(await refused(concatHex([one, one]))).toContain('signature 1 is not in ascending order')
    const nonOwner = chain.accounts[9]!
    expect(await refused(await sign(safe, a, nonOwner))).toContain(
      `${nonOwner.address}, which is not an owner`,
    )
    const other = await signSafeMessage(chain.chainId, safe, keccak256(digest), [a, b])
    expect(await refused(other)).toContain('is not an owner')
    expect(await refused(concatHex([slice(one, 0, 64), '0x05', two]))).toContain(
      'has no valid signer',
    )
  })

  it('may be given by eth_sign, approved on chain, or by a Safe that is an owner', async () => {
    const [a, b, c] = owners as [LocalAccount, LocalAccount, LocalAccount]
    const inner = await create([b.address, c.address], 2)
    const outer = await create([a.address, inner], 2)
    const hash = messageHash(outer)
    const plain = await a.signMessage({ message: { raw: hash } })
    const ethSigned = concatHex([slice(plain, 0, 64), toHex(Number(slice(plain, 64)) + 4)])
    // 1.3.0 hands on the message, 1.4.1 what is hashed of it.
    const handed = version === '1.3.0' ? digest : encodedOf(outer)
    const tail = await signSafeMessage(chain.chainId, inner, handed, [b, c])
    const contract = { address: inner, part: pad(inner), tail }
    const byKey = { address: a.address, part: ethSigned }
    expect(await check(outer, pack(2, [byKey, contract]))).toMatchObject({
      signers: [a.address, inner].toSorted((x, y) => byAddress({ address: x }, { address: y })),
      fault: null,
    })
    const half = await signSafeMessage(chain.chainId, inner, handed, [b])
    const short = pack(2, [byKey, { ...contract, tail: half }])
    expect((await check(outer, short)).fault).toContain('has no valid signer')
    const approved = {
      address: a.address,
      part: concatHex([pad(a.address), pad('0x'), '0x01']),
    } as const
    expect((await check(outer, pack(2, [approved, contract]))).fault).toContain(
      'has no valid signer',
    )
    const data = encodeFunctionData({ abi, functionName: 'approveHash', args: [hash] })
    await chain.send({ from: a.address, to: outer, data })
    expect((await check(outer, pack(2, [approved, contract]))).fault).toBeNull()
  })

  it('may be none, where the message was signed on chain', async () => {
    const safe = await twoOfThree()
    expect((await check(safe, '0x')).fault).toBe('the message was not signed on chain')
    const name = version === '1.3.0' ? 'GnosisSignMessageLib' : 'SignMessageLib'
    const to = await chain.deploy(artifact(name).bytecode)
    const data = encodeFunctionData({ abi, functionName: 'signMessage', args: [digest] })
    await execute(safe, { to, value: 0n, data, operation: 1, nonce: 0n })
    expect(await check(safe, '0x')).toEqual({
      messageHash: messageHash(safe),
      signers: [],
      fault: null,
    })
  })

  it('count only where the contract says the same', async () => {
    const safe = await twoOfThree()
    const [a, b] = owners as [LocalAccount, LocalAccount]
    // Without a handler nothing answers EIP-1271, whoever has signed.
    const data = encodeFunctionData({
      abi,
      functionName: 'setFallbackHandler',
      args: [pad('0x', { size: 20 })],
    })
    await execute(safe, { to: safe, value: 0n, data, operation: 0, nonce: 0n })
    const { fault, signers } = await check(safe, await sign(safe, a, b))
    expect(signers).toEqual([a.address, b.address])
    expect(fault).toContain('isValidSignature of the Safe returned')
  })

  function encodedOf(safe: Address): Hex {
    const type = keccak256(toHex('EIP712Domain(uint256 chainId,address verifyingContract)'))
    const words = [type, numberToHex(chain.chainId, { size: 32 }), pad(safe)]
    const message = keccak256(toHex('SafeMessage(bytes message)'))
    return concatHex([
      '0x1901',
      keccak256(concatHex(words)),
      keccak256(concatHex([message, keccak256(digest)])),
    ])
  }

  async function execute(safe: Address, transaction: SafeTransaction) {
    const signers = owners.slice(0, 2)
    const signatures = await signSafeTransaction(chain.chainId, safe, transaction, signers)
    const data = safeExecutionData(transaction, signatures)
    await chain.send({ from: chain.accounts[8]!.address, to: safe, data })
  }
})
