import type { ClientOptions } from '@liquidity-os/client'
import type { TestMember, TestService } from '../../apps/server/test/support/service.ts'

/** A member of an organization, by their session. */
export interface Member {
  readonly organizationId: string
  readonly options: ClientOptions
}

/** Who attacks whom, and where. */
export interface Stage {
  readonly baseUrl: string
  /** Everything of everything, or a sample that takes seconds. */
  readonly isThorough: boolean
  /** Members of two organizations; null where nobody of a service is known. */
  readonly members: { readonly attacker: Member; readonly victim: Member } | null
  /** The service, where it was started for this, with the same members. */
  readonly own: {
    readonly service: TestService
    readonly attacker: TestMember
    readonly victim: TestMember
  } | null
}

/** A way to attack, and what it may not come to. */
export interface Attack {
  readonly area: 'tenants' | 'transport' | 'identity' | 'outbound' | 'neighbours'
  readonly name: string
  /** What it needs to be tried. */
  readonly needs: 'ADDRESS' | 'MEMBERS' | 'OWN_SERVICE'
  readonly run: (stage: Stage, tally: Tally) => Promise<void>
}

/** How often something was tried, and what came of it. */
export class Tally {
  readonly came = new Map<string, number>()
  readonly breaches: string[] = []

  /** How often it was tried. */
  get tries(): number {
    return [...this.came.values()].reduce((sum, one) => sum + one, 0)
  }

  /**
   * @param came   what came of one try, in a word
   * @param breach what is wrong with it; null where nothing is
   */
  note(came: string, breach: string | null): void {
    this.came.set(came, (this.came.get(came) ?? 0) + 1)
    if (breach !== null) this.breaches.push(breach)
  }
}

/** Works through a list, so many at the same time. */
export async function inParallel<T>(
  list: readonly T[],
  work: (one: T) => Promise<void>,
  places = 8,
): Promise<void> {
  const left = list.values()
  await Promise.all(
    Array.from({ length: places }, async () => {
      for (const one of left) await work(one)
    }),
  )
}

/** @throws Error where nobody is known; `needs` keeps such an attack from being tried */
export function membersOf({ members }: Stage): NonNullable<Stage['members']> {
  if (!members) throw new Error('Nobody of this service is known.')
  return members
}

/** @throws Error where the service is somebody else's; `needs` keeps such an attack from being tried */
export function ownOf({ own }: Stage): NonNullable<Stage['own']> {
  if (!own) throw new Error('This service was not started here.')
  return own
}
