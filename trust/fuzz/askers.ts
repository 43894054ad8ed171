import type { Staged } from '../../apps/server/test/every-operation/scene.ts'
import type { Sight } from './draft.ts'
import { idsIn, Known } from './known.ts'
import { pick } from './mutate.ts'
import type { Member, Stage } from './stage.ts'

/** The owner of an organization with the ids that the service returned to them. */
export interface Asker {
  readonly member: Member
  readonly known: Known
  /** The operation whose scene was set up, and valid requests of it. */
  readonly staged: { readonly operation: string; readonly sound: Staged } | null
}

/** All members who send requests, each in an organization of their own. */
export class Askers {
  readonly #stage: Pick<Stage, 'addOrganization' | 'addScene'>
  readonly #all: Asker[] = []
  /** Each id with the first member to whom it was returned. */
  readonly #owners = new Map<string, Asker>()

  constructor(stage: Pick<Stage, 'addOrganization' | 'addScene'>) {
    this.#stage = stage
  }

  async addPlain(): Promise<Asker> {
    return this.#add(await this.#stage.addOrganization(), null)
  }

  /** Adds a member for whom the scene of an operation is set up. */
  async addStaged(operation: string): Promise<void> {
    const { member, sound, seen } = await this.#stage.addScene(operation)
    const asker = this.#add(member, { operation, sound })
    for (const text of seen) this.learn(asker, text)
  }

  #add(member: Member, staged: Asker['staged']): Asker {
    const asker = { member, known: new Known(), staged }
    this.#all.push(asker)
    this.learn(asker, JSON.stringify([member.organizationId, member.userId]))
    return asker
  }

  learn(asker: Asker, text: string): void {
    asker.known.learn(text)
    for (const id of idsIn(text)) if (!this.#owners.has(id)) this.#owners.set(id, asker)
  }

  /** In half of the draws the member with the scene of the operation, if one exists; otherwise any member. */
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
