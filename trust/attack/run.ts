import { scopes } from '@liquidity-os/contract'
import { oneOfEach } from '../../apps/server/test/support/resources.ts'
import { newOrganization, startTestService } from '../../apps/server/test/support/service.ts'
import { type Attack, type Stage, Tally } from './attack.ts'
import { identityAttacks } from './identity.ts'
import { neighbourAttacks } from './neighbours.ts'
import { outboundAttacks } from './outbound.ts'
import { tenantAttacks } from './tenants.ts'
import { transportAttacks } from './transport.ts'

export const attacks: readonly Attack[] = [
  ...tenantAttacks,
  ...transportAttacks,
  ...identityAttacks,
  ...outboundAttacks,
  ...neighbourAttacks,
]

/** What came of one attack; null where it lacked what it needs. */
export interface Outcome {
  readonly attack: Attack
  readonly tally: Tally | null
}

/** A service that is started for this, with two organizations of which one has a record of every kind. */
export async function ownStage(
  isThorough: boolean,
): Promise<{ stage: Stage; stop: () => Promise<void> }> {
  const service = await startTestService({
    PUBLIC_REQUESTS_PER_MINUTE: '1000000',
    SERVICE_BUDGETS: scopes.map((scope) => `${scope}=1000000`).join(','),
    // Production's answer to an address within: development would let a provider listen on this machine.
    OUTBOUND_ALLOW: '',
  })
  const [attacker, victim] = [await newOrganization(service), await newOrganization(service)]
  await oneOfEach(service, victim)
  return {
    stage: {
      baseUrl: service.baseUrl,
      isThorough,
      members: { attacker, victim },
      own: { service, attacker, victim },
    },
    stop: () => service.stop(),
  }
}

/** Whether a stage has what an attack needs. */
export const canTry = ({ needs }: Attack, { members, own }: Stage): boolean =>
  needs === 'ADDRESS' || (needs === 'MEMBERS' ? members !== null : own !== null)

/** Tries one attack after the other. */
export async function tryAll(chosen: readonly Attack[], stage: Stage): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const attack of chosen) {
    const tally = canTry(attack, stage) ? new Tally() : null
    if (tally) await attack.run(stage, tally)
    outcomes.push({ attack, tally })
  }
  return outcomes
}
