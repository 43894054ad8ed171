import type { Drawing } from '../../../../drawing/drawing.ts'
import type { DrawnProof } from '../pictures.ts'
import { drawControlPath } from './control-path.ts'

export default (drawn: DrawnProof): Drawing[] => [drawControlPath(drawn)]
