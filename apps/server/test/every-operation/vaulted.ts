import type { contract } from '@liquidity-os/contract'
import type { Address } from 'viem'
import { type Vault, vaults } from '../../src/families/prove/vaults/records.ts'
import { TenantRecords } from '../../src/store/records/tenant-records.ts'
import { type TestChain, validatedPool } from '../support/chain.ts'
import { type Desk, startDesk } from '../support/proposing.ts'
import { newMember, type TestMember, type TestService } from '../support/service.ts'
import type { Scene, Staged } from './scene.ts'

/** An organization with a Safe vault, read once and shared. */
export interface Vaulted {
  readonly owner: TestMember
  readonly analyst: TestMember
  readonly test: TestChain
  readonly service: TestService
  readonly vault: Vault
  readonly safe: Address
  readonly venue: { readonly id: string; readonly resourceVersion: string }
}

const desks = new WeakMap<TestService, Promise<Desk>>()

/** Writes down what was read of the Safe in another organization, as the snapshot of a vault there. */
async function vaultedIn(
  owner: TestMember,
  test: TestChain,
  service: TestService,
): Promise<Vaulted> {
  const { safe, vault } = await deskOf(test, service)
  const venue = await validatedPool(owner, test)
  const { database, verified, artifacts, clock, committer } = service.services
  const records = new TenantRecords({
    purpose: 'REQUEST',
    organizationId: owner.organizationId,
    actor: { kind: 'SYSTEM', id: 'test' },
    now: clock(),
    database,
    verified,
    artifacts,
  })
  const { change, sealed } = vaults.first(records, {
    status: vault.status,
    reason: 'For the walk',
    event: 'vault.snapshot',
    payload: { ...vault.payload, ledgerEntries: [] } as unknown as contract.QualifiedVault,
  })
  await committer.commit(change)
  const analyst = await newMember(service, owner.organizationId, 'ANALYST')
  return { owner, analyst, test, service, safe, venue, vault: sealed.record as Vault }
}

/** The desk whose Safe was read, once for a service. */
export function deskOf(test: TestChain, service: TestService): Promise<Desk> {
  const desk = desks.get(service) ?? startDesk(test, service)
  desks.set(service, desk)
  return desk
}

/** A scene of a vault. */
export const ofVault =
  (stage: (vaulted: Vaulted) => Staged | Promise<Staged>): Scene =>
  async (owner, test, service) =>
    stage(await vaultedIn(owner, test, service))
