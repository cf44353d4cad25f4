// What the page needs of three.js; `three.bundle.js` beside it is made from this file by
//   npm install three@0.170.0 esbuild@0.24
//   npx esbuild three_entry.js --bundle --minify --format=iife --global-name=THREE --outfile=three.bundle.js
export {
  AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, CapsuleGeometry, Color, ConeGeometry,
  CylinderGeometry, DirectionalLight, DoubleSide, GridHelper, Group, HemisphereLight, Line, LineBasicMaterial,
  LineSegments, Mesh, MeshBasicMaterial, MeshStandardMaterial, PCFSoftShadowMap, PerspectiveCamera, Plane,
  PlaneGeometry, Quaternion, Raycaster, Scene, ShadowMaterial, SphereGeometry, Sprite, SpriteMaterial, Vector2,
  Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
