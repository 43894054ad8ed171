import { sql } from '../../apps/server/src/store/database/sql.ts'
import type { Staged } from '../../apps/server/test/every-operation/scene.ts'
import { scenes } from '../../apps/server/test/every-operation/scenes.ts'
import type { TestChain } from '../../apps/server/test/support/chain.ts'
import {
  newOrganization,
  type TestMember,
  type TestService,
} from '../../apps/server/test/support/service.ts'
import type { Sight } from './draft.ts'
import { idsIn, Known } from './known.ts'
import { pick } from './mutate.ts'

/** The owner of an organization, and what they were shown. */
export interface Asker {
  readonly member: TestMember
  readonly known: Known
  /** Of which operation everything is there that it needs, and requests of it that are sound. */
  readonly staged: { readonly operation: string; readonly sound: Staged } | null
}

/** Operations that have a scene: on a chain, with all that they need. */
export const staged: readonly string[] = Object.keys(scenes)

/** Everybody who asks, each in an organization of their own. */
export class Askers {
  readonly #service: TestService
  readonly #all: Asker[] = []
  /** Whose an id is, for whoever was shown it first. */
  readonly #owners = new Map<string, Asker>()

  constructor(service: TestService) {
    this.#service = service
  }

  async addPlain(): Promise<Asker> {
    return this.#add(await newOrganization(this.#service), null)
  }

  /** Somebody for whom the scene of an operation was set up. */
  async addStaged(operation: string, chain: TestChain): Promise<void> {
    const scene = scenes[operation]
    if (!scene) throw new Error(`${operation} has no scene.`)
    const member = await newOrganization(this.#service)
    const sound = await scene(member, chain, this.#service)
    const asker = this.#add(member, { operation, sound })
    const [rows = []] = await this.#service.database.tenant(member.organizationId, [
      sql`select body from records where organization_id = ${member.organizationId} order by id, sequence`,
    ])
    for (const { body } of rows) this.learn(asker, body ?? '')
  }

  #add(member: TestMember, staging: Asker['staged']): Asker {
    const asker = { member, known: new Known(), staged: staging }
    this.#all.push(asker)
    this.learn(asker, JSON.stringify([member.organizationId, member.userId]))
    return asker
  }

  learn(asker: Asker, text: string): void {
    asker.known.learn(text)
    for (const id of idsIn(text)) if (!this.#owners.has(id)) this.#owners.set(id, asker)
  }

  /** Whoever has the scene of the operation, half of the time; else anybody. */
  choose(operation: string, random: () => number): Asker {
    const own = this.#all.filter((asker) => asker.staged?.operation === operation)
    return pick(own.length > 0 && random() < 0.5 ? own : this.#all, random)
  }

  sightOf(asker: Asker, random: () => number): Sight {
    const others = this.#all.filter((other) => other !== asker)
    return {
      own: asker.known,
      foreign: pick(others, random).known,
      isForeign: (id) => !asker.known.has(id) && this.#owners.has(id),
    }
  }
}
