import { callOperation } from './requests.ts'
import type { TestMember } from './service.ts'

/** Response to an owner while a venue is PAUSED; afterwards the venue is VALIDATED again. */
export async function whilePaused<Answer>(
  owner: TestMember,
  id: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const move = async (status: string) => {
    type Venue = { resourceVersion: string }
    const current = await callOperation<Venue>(owner, 'getVenues', { params: { id } })
    const moved = await callOperation<Venue>(owner, 'supersedeVenues', {
      params: { id },
      ifMatch: current.data.resourceVersion,
      body: { status, reason: 'For the test' },
    })
    if (moved.status !== 200) throw new Error(`The venue did not become ${status}: ${moved.code}.`)
  }
  await move('PAUSED')
  try {
    return await ask()
  } finally {
    await move('VALIDATED')
  }
}
