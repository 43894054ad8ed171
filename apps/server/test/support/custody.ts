import { randomBytes } from 'node:crypto'
import type { contract } from '@liquidity-os/contract'
import { canonicalize, H } from '@liquidity-os/evidence'
import type { Localchain } from '@liquidity-os/localchain'
import { type Address, type Hex, hashTypedData } from 'viem'
import type { TestMember, TestService } from './service.ts'

type Statement = contract.CustodyStatement

export const newNonce = (): Hex => `0x${randomBytes(32).toString('hex')}`
export const wholeSeconds = (milliseconds: number) =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`

/** Brings a chain to the time of a service, so that its blocks are of today. */
export async function catchUp(chain: Localchain, service: TestService): Promise<void> {
  const timestamp = BigInt(Math.floor(service.clock.read() / 1000) - 600)
  const newest = await chain.publicClient.getBlock()
  // Blocks of an earlier test can already be later.
  if (newest.timestamp < timestamp) await chain.testClient.setNextBlockTimestamp({ timestamp })
  await chain.mine(4)
}

/** Default members of a test statement, as its signer would write them. */
export function statementOf(
  service: Pick<TestService, 'clock'>,
  { organizationId }: TestMember,
  changes: Partial<Statement> &
    Pick<Statement, 'container' | 'controller' | 'relation' | 'holdings'>,
): Statement {
  const now = service.clock.read()
  const nonce = newNonce()
  return {
    statementVersion: 'treasury-custody-statement-v1',
    evidenceId: `test:${nonce.slice(2, 18)}`,
    organizationHash: H('organization/v1', { organizationId }),
    chainId: 0,
    purpose: 'Reserve at month end',
    issuedAt: wholeSeconds(now),
    expiresAt: wholeSeconds(now + 86_400_000),
    nonce,
    ...changes,
  }
}

/** The same for an on-chain account, at the last finalized block. */
export async function accountStatement(
  service: Pick<TestService, 'clock'>,
  member: TestMember,
  chain: Localchain,
  changes: Partial<Statement> & Pick<Statement, 'holdings'> & { readonly account: Address },
): Promise<Statement> {
  const { account, ...more } = changes
  const { number, hash } = await chain.publicClient.getBlock({ blockTag: 'finalized' })
  return statementOf(service, member, {
    container: `eip155:${chain.chainId}:${account.toLowerCase()}`,
    controller: account,
    relation: 'SELF',
    chainId: chain.chainId,
    blockNumber: Number(number),
    blockHash: hash,
    ...more,
  })
}

const types = {
  CustodyStatement: [
    ...'string statementVersion,string evidenceId,bytes32 organizationHash,string container,address controller,string relation,Holding[] holdings,uint256 blockNumber,bytes32 blockHash,address[] addresses,string purpose,uint64 issuedAt,uint64 expiresAt,bytes32 nonce'
      .split(',')
      .map((member) => {
        const [type = '', name = ''] = member.split(' ')
        return { name, type }
      }),
  ],
  Holding: [
    { name: 'assetKey', type: 'string' },
    { name: 'quantity', type: 'uint256' },
  ],
}

/** The EIP-712 document as the contract describes it; written here a second time, from its words. */
export function typedData(statement: Statement) {
  const seconds = (time: string) => BigInt(Date.parse(time)) / 1000n
  return {
    domain: {
      name: 'Liquidity OS Treasury Custody',
      version: '1',
      chainId: statement.chainId,
      salt: statement.organizationHash as Hex,
    },
    types,
    primaryType: 'CustodyStatement',
    message: {
      ...statement,
      addresses: statement.addresses ?? [],
      issuedAt: seconds(statement.issuedAt),
      expiresAt: seconds(statement.expiresAt),
    },
  } as unknown as Parameters<typeof hashTypedData>[0]
}

export const digestOf = (statement: Statement): Hex => hashTypedData(typedData(statement))

/** The bytes that a custodian signs. */
export const custodianBytes = (statement: Statement): Uint8Array =>
  Buffer.from(`liquidity-os/treasury-custody-statement/v1\n${canonicalize(statement)}`)
