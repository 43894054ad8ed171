// @module-tag long
import { testChapter } from './test-chapter.ts'

testChapter('operate')
