import type { contract } from '@liquidity-os/contract'
import type { Hash } from '@liquidity-os/evidence'
import type { PictureFamily } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import { headsUpTo, readLogged } from '../proof/api.ts'
import type { DrawnPassport } from './charts.ts'
import { passports } from './records.ts'

/** Maximum checkpoints in the chart; the last one covers the publication. */
const maxHeads = 5

export const pictures: PictureFamily = {
  operationId: 'getPassports',
  read: async ({ id, records, services: { database } }): Promise<DrawnPassport> => {
    const current = await passports.current(records, id)
    if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
    const { payload } = current.record
    const { vault } = payload.sourceBindings
    const [bound, events] = await Promise.all([
      records.version<contract.QualifiedVault>('QualifiedVault', vault.id, vault.resourceVersion),
      records.events(id, { kinds: ['passport.published'] }),
    ])
    const published = events.findLast((event) => event.payload.contentHash === payload.contentHash)
    if (!bound || !published) throw new Error(`The passport ${id} lacks a source.`)
    const hash = published.evidenceHash as Hash
    const logged = (await readLogged(database, [hash])).get(hash) ?? null
    return {
      payload,
      pair: bound.record.payload.pair,
      logged,
      heads: logged ? await headsUpTo(database, logged.checkpoint.treeSize, maxHeads) : [],
    }
  },
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}
