// @module-tag long
// @covers packages/contract/src apps/server/src/families/intelligence/discovery
// @covers apps/server/src/families/intelligence/projects apps/server/src/families/prove/project-control

import { it } from '../support/fixtures.ts'
import { tokenForms } from './token-forms.ts'
import { walkMembers } from './walk-members.ts'

/** Changes every member of a form: the token is another, or the refusal is of the member. */
it.for(Object.entries(tokenForms))(
  '%s acts on every member',
  async ([id, bodies], { service, owner }) => walkMembers(id, await bodies({ service, owner })),
)
