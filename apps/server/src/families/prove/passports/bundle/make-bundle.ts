import type { Services } from '../../../../services.ts'
import type { OpenPassport } from '../open-passport.ts'

export async function makeBundle(_: Services, __: OpenPassport): Promise<Uint8Array> {
  throw new Error('not yet')
}
