import type { ClientOptions } from '@liquidity-os/client'
import { sql } from '../../apps/server/src/store/database/sql.ts'
import { verifyHistory } from '../../apps/server/src/whole-history.ts'
import type { Staged } from '../../apps/server/test/every-operation/scene.ts'
import { scenes } from '../../apps/server/test/every-operation/scenes.ts'
import { hostOf, startTestChain } from '../../apps/server/test/support/chain.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
} from '../../apps/server/test/support/service.ts'

/** The owner of an organization. */
export interface Member extends Pick<TestMember, 'organizationId' | 'userId'> {
  readonly options: ClientOptions
}

/** A broken link of the history. */
interface BrokenLink {
  readonly organizationId: string
}

export interface VerifiedHistory {
  readonly records: number
  readonly events: number
  readonly faults: readonly BrokenLink[]
}

/** The service under test, as the run sees it; tests replace it. */
export interface Stage {
  /** Operations that have a scene. */
  readonly scenes: readonly string[]
  readonly addOrganization: () => Promise<Member>
  /** Sets up the scene of an operation; `seen` holds the records that it made. */
  readonly addScene: (
    operation: string,
  ) => Promise<{ member: Member; sound: Staged; seen: readonly string[] }>
  /** Moves the clock of the service. */
  readonly advance: (milliseconds: number) => void
  readonly verifyHistory: () => Promise<VerifiedHistory>
  readonly stop: () => Promise<void>
}

/**
 * The service with an empty database, the embedded one or that of `DATABASE_URL`.
 *
 * @param hasScenes true to start the chain that scenes need
 */
export async function startStage(hasScenes: boolean): Promise<Stage> {
  await using begun = new AsyncDisposableStack()
  const test = hasScenes ? await startTestChain() : null
  begun.defer(async () => test?.chain.stop())
  const service = begun.adopt(
    await startTestService({
      PUBLIC_REQUESTS_PER_MINUTE: '1000000',
      OUTBOUND_ALLOW: test ? hostOf(test.chain.rpcUrl) : '',
    }),
    (one) => one.stop(),
  )
  const running = begun.move()
  return {
    scenes: test ? Object.keys(scenes) : [],
    addOrganization: () => newOrganization(service),
    addScene: async (operation) => {
      const scene = scenes[operation]
      if (!test || !scene) throw new Error(`${operation} has no scene.`)
      const member = await newOrganization(service)
      const sound = await scene(member, test, service)
      const [rows = []] = await service.database.tenant(member.organizationId, [
        sql`select body from records where organization_id = ${member.organizationId} order by id, sequence`,
      ])
      return { member, sound, seen: rows.map(({ body }) => body ?? '') }
    },
    advance: (milliseconds) => service.clock.advance(milliseconds),
    verifyHistory: () => verifyHistory(service.database, null, service.services.artifacts),
    stop: () => running.disposeAsync(),
  }
}
