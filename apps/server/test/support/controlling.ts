import type { contract } from '@liquidity-os/contract'
import { openRecord, type VersionedRecord } from '@liquidity-os/evidence'
import {
  controlAbi,
  createSafe,
  deployBeaconProxy,
  deployRoleToken,
  sendControl,
  signSafeMessage,
} from '@liquidity-os/localchain'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { expect } from 'vitest'
import { textOf } from '../../src/store/database/row.ts'
import { sql } from '../../src/store/database/sql.ts'
import { hostOf, providerBody, startTestChain, type TestChain } from './chain.ts'
import { callOperation } from './requests.ts'
import { newOrganization, startTestService, type TestMember, type TestService } from './service.ts'

export type Challenge = contract.ProjectControlChallengeView
export type Proof = VersionedRecord<contract.ProjectControlProof>

const reason = 'For the test'

/** A chain with tokens to prove control of, and an organization that reads it. */
export class ControlScene {
  readonly test: TestChain
  readonly service: TestService
  readonly owner: TestMember

  constructor(test: TestChain, service: TestService, owner: TestMember) {
    this.test = test
    this.service = service
    this.owner = owner
  }

  async stop(): Promise<void> {
    await this.service.stop()
    await this.test.chain.stop()
  }

  account(index: number) {
    return this.test.chain.accounts[index]!
  }

  deployer(): Address {
    return this.account(0).address
  }

  issue(claim: object, by = this.owner) {
    return callOperation<Challenge>(by, 'issueProjectControlChallenge', {
      body: { chainId: 31_337, format: 'EIP4361', reason, ...claim },
    })
  }

  read(nonce: string, by = this.owner) {
    return callOperation<Challenge>(by, 'getProjectControlChallenge', { params: { nonce } })
  }

  answer(nonce: string, signature: Hex, by = this.owner) {
    return callOperation<{ proof: Proof }>(by, 'acceptProjectControlProof', {
      body: { nonce, signature, reason },
    })
  }

  /** A challenge of a claim whose transactions are final. */
  async issued(claim: object): Promise<Challenge> {
    await this.test.chain.mine(3)
    const { status, code, fieldErrors, data } = await this.issue(claim)
    expect([status, code, fieldErrors]).toEqual([201, '', {}])
    return data
  }

  sign({ message }: Challenge, index: number): Promise<Hex> {
    return this.account(index).signMessage({ message: message ?? '' })
  }

  /** The proof of a claim, signed by an account of the chain. */
  async proven(claim: object, index: number): Promise<Proof> {
    const challenge = await this.issued(claim)
    const signature = await this.sign(challenge, index)
    const { status, code, fieldErrors, data } = await this.answer(challenge.nonce, signature)
    expect([status, code, fieldErrors]).toEqual([201, '', {}])
    return data.proof
  }

  newToken(): Promise<Address> {
    return deployRoleToken(this.test.chain, 'MINT')
  }

  /** A contract that is Ownable. OpenZeppelin publishes no token that is, and proofs of ownership need none. */
  async newOwned(): Promise<Address> {
    return (await deployBeaconProxy(this.test.chain, await this.newToken())).beacon
  }

  /** Transfers the ownership of a contract. */
  hand(contract: Address, to: Address, from = this.deployer()) {
    return sendControl(this.test.chain, from, contract, {
      functionName: 'transferOwnership',
      args: [to],
    })
  }

  minterRole(address: Address): Promise<Hex> {
    return this.test.chain.publicClient.readContract({
      address,
      abi: controlAbi,
      functionName: 'MINTER_ROLE',
    })
  }

  newSafe(indexes: readonly number[], threshold: number, saltNonce: bigint): Promise<Address> {
    const owners = indexes.map((index) => this.account(index).address)
    return createSafe(this.test.chain, { owners, threshold, saltNonce })
  }

  safeSignature(safe: Address, digest: Hex, indexes: readonly number[]): Promise<Hex> {
    const signers = indexes.map((index) => this.account(index))
    return signSafeMessage(31_337, safe, digest, signers)
  }

  /** Stored last version of a proof; the contract has no operation to read one. */
  async stored(id: string): Promise<Proof> {
    const { organizationId } = this.owner
    const [rows] = await this.service.database.tenant(organizationId, [
      sql`select body from records where organization_id = ${organizationId} and id = ${id}
        order by sequence desc limit 1`,
    ])
    return openRecord(textOf(rows![0]!, 'body')) as Proof
  }

  /** The transaction that created a contract. */
  async creationOf(created: Address): Promise<Hex> {
    const { publicClient } = this.test.chain
    const last = await publicClient.getBlockNumber()
    for (let blockNumber = last; blockNumber > last - 50n; blockNumber -= 1n) {
      const { transactions } = await publicClient.getBlock({ blockNumber })
      for (const hash of transactions) {
        const { contractAddress } = await publicClient.getTransactionReceipt({ hash })
        if (contractAddress && isAddressEqual(contractAddress, created)) return hash
      }
    }
    throw new Error(`No transaction of the last 50 blocks created ${created}.`)
  }
}

export async function startControlScene(): Promise<ControlScene> {
  const test = await startTestChain()
  const service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  const owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
  return new ControlScene(test, service, owner)
}
