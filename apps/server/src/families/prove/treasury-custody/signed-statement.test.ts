import type { contract } from '@liquidity-os/contract'
import { importPrivateKey, sign } from '@liquidity-os/evidence'
import { describe, expect, it } from 'vitest'
import {
  digestOf,
  organizationHashOf,
  signatureHashOf,
  statementHashOf,
  statementTag,
} from './signed-statement.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}`
type Statement = contract.CustodyStatement

const common = {
  statementVersion: 'treasury-custody-statement-v1',
  evidenceId: 'golden:one',
  organizationHash: organizationHashOf('org_golden'),
  purpose: 'Golden',
  nonce: hash('3'),
  issuedAt: '2026-01-05T12:00:00Z',
  expiresAt: '2026-02-04T12:00:00Z',
} as const
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const ofAccount: Statement & { blockNumber: number; blockHash: string } = {
  ...common,
  chainId: 1,
  container: `eip155:1:${account.toLowerCase()}`,
  controller: account,
  blockNumber: 24_000_000,
  blockHash: hash('4'),
  relation: 'SELF',
  holdings: [{ assetKey: 'eip155:1/slip44:60', quantity: '1000000000000000000' }],
}
const ofCustodian: Statement = {
  ...common,
  chainId: 0,
  container: `custodian:bank:${hash('2')}`,
  controller: 'bank',
  relation: 'CUSTODIAN',
  holdings: [{ assetKey: 'iso4217:USD', quantity: '125000000' }],
}
/** The first key of the test vectors of RFC 8032, §7.1. */
const key = importPrivateKey(
  Buffer.from(
    `302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60`,
    'hex',
  ).toString('base64'),
)

describe('signed content of custody', () => {
  it('has the same bytes for everyone', () => {
    const signature = sign(key, statementTag, ofCustodian)
    expect({
      organization: common.organizationHash,
      digest: digestOf(ofAccount),
      statement: statementHashOf(ofCustodian),
      signature,
      signatureHash: signatureHashOf({ scheme: 'ED25519', signature }),
    }).toEqual({
      organization: '0xf0ec049a7707e0fe673b4bb00a715a60948ab7e73fd29f685177aff6881f4dcf',
      digest: '0x8f389b5de41d8bf89e352f739c41a4e1eca45e0190d170ebe4e98cf482808163',
      statement: '0x32cb0961bb30d9ba97bea96cfd8fb19bce671b1dde1f3a22f501271d7de9ee94',
      signature:
        'IbF0xJl8f+skDTZStwwn0lw1IA9dzmTLiByJXBAdUsNSfkjgVsBb7ziXzxST4Y1oMsE55cTy+6enfHTYZW8yBg==',
      signatureHash: '0x883df6ecb9171d0e45d4099f1241d68a63bf8482e2baa64cbbfe0761ee5d3ef9',
    })
  })

  it('is other bytes for each member of the EIP-712 document', () => {
    const whole = { ...ofAccount, addresses: [account] }
    const others = [
      { chainId: 2 },
      { evidenceId: 'golden:two' },
      { organizationHash: hash('5') },
      { container: 'eip155:1:0x00' },
      { controller: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' },
      { relation: 'OWNER' as const },
      { holdings: [{ assetKey: 'eip155:1/slip44:60', quantity: '1' }] },
      { holdings: [{ assetKey: 'eip155:2/slip44:60', quantity: '1' }] },
      { blockNumber: 1 },
      { blockHash: hash('6') },
      { addresses: [] },
      { purpose: 'Other' },
      { issuedAt: '2026-01-05T12:00:01Z' },
      { expiresAt: '2026-02-04T12:00:01Z' },
      { nonce: hash('7') },
    ].map((change) => digestOf({ ...whole, ...change }))
    expect(new Set([digestOf(whole), ...others]).size).toBe(others.length + 1)
  })
})
