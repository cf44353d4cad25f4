"use strict";
// Shows the scene that the page carries: bodies, plots, playback; with a server also sliders and simulation.
(() => {
  const data = JSON.parse(document.getElementById("scene").textContent);
  const PALETTE = data.palette, INK = "#2b2f36", GREY = "#8a919c";
  const byId = (id) => document.getElementById(id);
  const element = (tag, properties = {}, parent = null) => {
    const made = Object.assign(document.createElement(tag), properties);
    if (parent) parent.appendChild(made);
    return made;
  };
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  const floats = (text) => new Float32Array(bytes(text));
  const number = (x) => {
    if (!Number.isFinite(x)) return "–";
    const size = Math.abs(x);
    return size !== 0 && (size < 1e-3 || size >= 1e5) ? x.toExponential(2) : x.toPrecision(4);
  };

  // ---- the motion: rows of [x, y, z, qx, qy, qz, qw] of all bodies at increasing times
  const nBodies = data.bodies.length;
  const motions = data.motions.map((m) => ({ ...m, times: floats(m.times), poses: floats(m.poses) }));
  let time = motions[0].times[0], playing = false, speed = 1;
  const span = () => {
    const { times } = motions[0];
    return [times[0], times[times.length - 1]];
  };
  const place = (times, t) => {
    let low = 0, high = times.length - 1;
    while (high - low > 1) { const middle = (low + high) >> 1; if (times[middle] <= t) low = middle; else high = middle; }
    const step = times[high] - times[low];
    return [low, high, step > 0 ? Math.min(Math.max((t - times[low]) / step, 0), 1) : 0];
  };

  let dirty = true; // pictures are drawn where something has changed
  const touch = () => { dirty = true; };

  // ---- the scene
  // Without a graphics card browsers draw in software, for which smooth edges are dear.
  const isSoftware = (() => {
    const gl = element("canvas").getContext("webgl2"), info = gl && gl.getExtension("WEBGL_debug_renderer_info");
    const name = gl ? String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "";
    const ends = gl && gl.getExtension("WEBGL_lose_context");
    if (ends) ends.loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
  })();
  let renderer;
  try {
    renderer = new THREE.WebGLRenderer({ antialias: !isSoftware, preserveDrawingBuffer: true });
  } catch {
    byId("note").textContent = "This browser shows no WebGL; switch on hardware or software rendering, or try another one.";
    return;
  }
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFSoftShadowMap;
  const stage = byId("stage");
  stage.appendChild(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color("#fcfcfa");
  const upAxis = "xyz".indexOf(data.up.at(-1)), upSign = data.up[0] === "-" ? -1 : 1;
  const up = new THREE.Vector3().setComponent(upAxis, upSign);
  const camera = new THREE.PerspectiveCamera(35, 1, 0.01 * data.size, 400 * data.size);
  camera.up.copy(up);
  scene.add(new THREE.HemisphereLight("#ffffff", "#c9ccd2", 2.0));
  const sun = new THREE.DirectionalLight("#ffffff", 1.9);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  scene.add(sun, sun.target);

  const solids = window.poinsotSolids(data, bytes);
  const figures = motions.map(() => []);
  // ---- struts: of unit length along z, stretched between their ends
  const thick = 0.018 * data.size;
  const coil = () => {
    const turns = 12, round = 24, sides = 8, wire = 0.26 * thick, radius = 1.05 * thick, n = turns * round;
    const points = [], index = [];
    for (let k = 0; k <= n; k++) for (let s = 0; s < sides; s++) {
      const a = 2 * Math.PI * k / round, b = 2 * Math.PI * s / sides, r = radius + wire * Math.cos(b);
      points.push(r * Math.cos(a), r * Math.sin(a), k / n + wire * Math.sin(b) / data.size);
    }
    for (let k = 0; k < n; k++) for (let s = 0; s < sides; s++) {
      const a = k * sides + s, b = k * sides + (s + 1) % sides;
      index.push(a, b, a + sides, b, b + sides, a + sides);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
    geometry.setIndex(index);
    geometry.computeVertexNormals();
    return geometry;
  };
  const bar = (radius, start, end) => new THREE.CylinderGeometry(radius, radius, end - start, 20)
    .rotateX(Math.PI / 2).translate(0, 0, (start + end) / 2);
  const strutOf = (strut) => {
    const group = new THREE.Group();
    const metal = new THREE.MeshStandardMaterial({ color: "#6b727d", roughness: 0.4, metalness: 0.35, side: THREE.DoubleSide });
    const parts = strut.kind === "spring" ? [coil()]
      : strut.kind === "piston" ? [bar(0.5 * thick, 0, 1)]
      : strut.kind === "damper" ? [bar(0.3 * thick, 0, 0.6), bar(0.8 * thick, 0.45, 1)] : [bar(0.45 * thick, 0, 1)];
    for (const geometry of parts) group.add(new THREE.Mesh(geometry, metal));
    const whole = new THREE.Group();
    whole.add(group);
    if (strut.kind === "piston") { // a cylinder, of its own length, around the rod
      const colour = strut.bodies[0] < 0 ? GREY : data.bodies[strut.bodies[0]].colour;
      const barrel = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.5, metalness: 0.1 });
      whole.add(new THREE.Mesh(bar(1.05 * thick, 0, strut.length), barrel));
    }
    whole.traverse((item) => { item.castShadow = true; });
    return { ...strut, whole, group };
  };
  let struts = [];

  // ---- what can be switched on
  const switched = { "joint axes": [], frames: [], "mass centres": [], names: [], paths: [], reactions: [], forces: [], impulses: [], ground: [] };
  const shown = { ground: data.gravity };
  const label = (text) => {
    const canvas = element("canvas"), context = canvas.getContext("2d"), font = "32px system-ui, sans-serif";
    context.font = font;
    canvas.width = Math.ceil(context.measureText(text).width) + 16;
    canvas.height = 44;
    context.font = font;
    context.fillStyle = "rgba(252,252,250,0.85)";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = INK;
    context.fillText(text, 8, 32);
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false }));
    const height = 0.035 * data.size;
    sprite.scale.set(height * canvas.width / canvas.height, height, 1);
    return sprite;
  };
  const line = (start, end, colour) => {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array([...start, ...end]), 3));
    const made = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour, depthTest: false }));
    made.renderOrder = 2;
    return made;
  };
  const add = (name, group, item) => {
    item.visible = Boolean(shown[name]);
    switched[name].push(item);
    group.add(item);
  };
  const addFrame = (group) => ["#c8321e", "#1d8a3c", "#1f5fc4"].forEach((colour, k) => {
    const end = [0, 0, 0];
    end[k] = 0.11 * data.size;
    add("frames", group, line([0, 0, 0], end, colour));
  });
  // All that is fixed to bodies or the world; made again where a parameter changes it.
  const fixed = new THREE.Group();
  scene.add(fixed);
  const build = () => {
    for (const name of ["joint axes", "frames", "mass centres", "names"]) switched[name].length = 0;
    fixed.traverse((item) => { if (item.geometry) item.geometry.dispose(); });
    fixed.clear();
    motions.forEach((motion, m) => {
      figures[m] = data.bodies.map((body, i) => {
        const group = new THREE.Group();
        for (const mesh of solids.meshesOf(body.solids, body.colour, m === 0 ? 1 : 0.25)) group.add(mesh);
        group.userData.body = i;
        fixed.add(group);
        return group;
      });
    });
    for (const mesh of solids.meshesOf(data.ground, GREY)) fixed.add(mesh);
    addFrame(fixed);
    data.bodies.forEach((body, i) => {
      const group = figures[0][i];
      addFrame(group);
      if (body.mass > 0) {
        const ball = new THREE.Mesh(new THREE.SphereGeometry(0.6 * thick, 20, 14),
          new THREE.MeshBasicMaterial({ color: "#e69f00", depthTest: false }));
        ball.position.fromArray(body.com);
        ball.renderOrder = 3;
        add("mass centres", group, ball);
      }
      const name = label(body.name);
      name.position.fromArray(body.com);
      name.renderOrder = 4;
      add("names", group, name);
    });
    for (const axis of data.axes) {
      const end = (s) => axis.point.map((x, c) => x + s * 0.16 * data.size * axis.direction[c]);
      add("joint axes", axis.body < 0 ? fixed : figures[0][axis.body], line(end(-1), end(1), "#7a3fb0"));
    }
    struts = data.struts.map(strutOf);
    for (const strut of struts) fixed.add(strut.whole);
  };
  build();
  const paths = () => {
    for (const item of switched.paths) scene.remove(item);
    switched.paths.length = 0;
    const { times, poses } = motions[0], point = new THREE.Vector3(), turn = new THREE.Quaternion();
    if (times.length < 3) return;
    data.bodies.forEach((body, i) => {
      const places = new Float32Array(3 * times.length);
      for (let k = 0; k < times.length; k++) {
        const row = 7 * (k * nBodies + i);
        turn.fromArray(poses, row + 3);
        point.fromArray(body.com).applyQuaternion(turn);
        for (let c = 0; c < 3; c++) places[3 * k + c] = poses[row + c] + point.getComponent(c);
      }
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(places, 3));
      add("paths", scene, new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: body.colour })));
    });
  };

  // ---- arrows: the largest of a kind is the longest
  const COLOURS = { reactions: "#c8321e", forces: "#0b6e4f", impulses: "#b8860b" };
  const UNITS = { reactions: "N", forces: "N", impulses: "N s" };
  const arrowOf = (kind) => {
    const group = new THREE.Group(), material = new THREE.MeshStandardMaterial({ color: COLOURS[kind], roughness: 0.5 });
    const shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.35 * thick, 0.35 * thick, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5), material);
    const head = new THREE.Mesh(new THREE.ConeGeometry(0.95 * thick, 2.2 * thick, 18).rotateX(Math.PI / 2), material);
    group.add(shaft, head);
    group.visible = false;
    scene.add(group);
    return { group, shaft, head };
  };
  let arrows = data.arrows.map((arrow) => ({ ...arrow, values: floats(arrow.values), ...arrowOf(arrow.kind) }));
  let blows = data.impulses.map((impulse) => ({ ...impulse, ...arrowOf("impulses") }));
  const strongest = { reactions: 0, forces: 0, impulses: 0 };
  const note = (kind, values) => {
    for (let k = 0; k + 2 < values.length; k += 3) {
      const size = Math.hypot(values[k], values[k + 1], values[k + 2]);
      if (Number.isFinite(size)) strongest[kind] = Math.max(strongest[kind], size);
    }
  };
  for (const arrow of arrows) note(arrow.kind, arrow.values);
  for (const blow of blows) note("impulses", blow.value);
  const longest = 0.35 * data.size; // of the largest force
  let stretch = 1;
  const force = new THREE.Vector3(), root = new THREE.Vector3();
  const point = (arrow, kind) => {
    const length = stretch * longest * force.length() / strongest[kind];
    arrow.group.visible = Number.isFinite(length) && length > 1e-3 * longest;
    if (!arrow.group.visible) return;
    root.fromArray(arrow.point);
    if (arrow.body >= 0) root.applyQuaternion(figures[0][arrow.body].quaternion).add(figures[0][arrow.body].position);
    arrow.group.position.copy(root);
    arrow.group.quaternion.setFromUnitVectors(zAxis, force.normalize());
    arrow.shaft.scale.set(1, 1, Math.max(length - 2 * thick, 1e-6));
    arrow.head.position.set(0, 0, Math.max(length - 1.1 * thick, 1.1 * thick));
  };
  const zAxis = new THREE.Vector3(0, 0, 1), LASTS = 0.4; // seconds of playback that an impulse is seen
  const pointAll = () => {
    const [a, b, s] = place(motions[0].times, time);
    for (const arrow of arrows) {
      arrow.group.visible = false;
      if (!shown[arrow.kind] || !strongest[arrow.kind]) continue;
      const v = arrow.values;
      force.set(v[3 * a] + s * (v[3 * b] - v[3 * a]), v[3 * a + 1] + s * (v[3 * b + 1] - v[3 * a + 1]), v[3 * a + 2] + s * (v[3 * b + 2] - v[3 * a + 2]));
      point(arrow, arrow.kind);
    }
    for (const blow of blows) {
      blow.group.visible = false;
      const since = time - blow.t;
      if (!shown.impulses || !strongest.impulses || since < 0 || since > LASTS * data.axis.rate * Math.max(speed, 1)) continue;
      force.fromArray(blow.value);
      point(blow, "impulses");
    }
  };
  const removeArrows = () => {
    for (const arrow of [...arrows, ...blows]) scene.remove(arrow.group);
    arrows = [];
    blows = [];
    for (const kind of Object.keys(strongest)) if (boxes[kind]) boxes[kind].style.display = "none";
    boxes.stretch.style.display = "none";
  };

  const boxes = {};
  for (const name of ["joint axes", "frames", "mass centres", "names", "paths", "reactions", "forces", "impulses", "ground", "follow"]) {
    if (name in strongest && !strongest[name]) continue;
    if (name === "ground" && !data.gravity) continue;
    const box = boxes[name] = element("label", {}, byId("shows"));
    const input = element("input", { type: "checkbox", checked: Boolean(shown[name]), name }, box);
    box.append(name in strongest ? ` ${name} (longest ${number(strongest[name])} ${UNITS[name]})` : ` ${name}`);
    input.addEventListener("change", () => {
      shown[name] = input.checked;
      for (const item of switched[name] || []) item.visible = input.checked;
      boxes.stretch.style.display = Object.keys(strongest).some((kind) => shown[kind]) ? "" : "none";
      touch();
    });
  }
  boxes.stretch = element("label", { title: "length of arrows" }, byId("shows"));
  boxes.stretch.style.display = "none";
  boxes.stretch.append("arrows ");
  const stretched = element("input", { type: "range", min: "-1", max: "1", step: "any", value: "0", id: "stretch" }, boxes.stretch);
  stretched.addEventListener("input", () => { stretch = 10 ** Number(stretched.value); touch(); });

  // ---- where everything is, and from where it is seen
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const extend = () => {
    const a = new THREE.Vector3(), place = new THREE.Vector3(), turn = new THREE.Quaternion();
    const include = (point, r) => {
      for (let c = 0; c < 3; c++) {
        low[c] = Math.min(low[c], point.getComponent(c) - r);
        high[c] = Math.max(high[c], point.getComponent(c) + r);
      }
    };
    const { times, poses } = motions[0], reach = data.bodies.map((body) => body.solids.flatMap(solids.corners));
    const every = Math.max(1, Math.floor(times.length / 200));
    for (let k = 0; k < times.length; k += every) data.bodies.forEach((body, i) => {
      const row = 7 * (k * nBodies + i);
      place.fromArray(poses, row);
      turn.fromArray(poses, row + 3);
      include(place, 0);
      for (const corner of reach[i]) include(a.copy(corner).applyQuaternion(turn).add(place), 0);
    });
    for (const solid of data.ground) for (const corner of solids.corners(solid)) include(corner, 0);
    for (const strut of data.struts) strut.bodies.forEach((body, k) => { if (body < 0) include(a.fromArray(strut.points[k]), 0); });
    if (!Number.isFinite(low[0])) { low.fill(-0.5); high.fill(0.5); }
  };
  extend();
  const middle = new THREE.Vector3(), extent = new THREE.Vector3();
  const look = () => {
    middle.set((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2);
    extent.set(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    const radius = 0.5 * extent.length();
    const k = upAxis;
    const flat = [0, 1, 2].filter((c) => c !== k).sort((a, b) => extent.getComponent(a) - extent.getComponent(b));
    const direction = new THREE.Vector3();
    const planar = data.normal !== null ? data.normal : flat[0];
    direction.setComponent(planar, planar === 1 ? -1 : 1);
    if (data.normal === null || data.normal === k) direction.setComponent(flat[1], 0.55);
    else direction.setComponent(flat[0] === planar ? flat[1] : flat[0], 0.22);
    direction.addScaledVector(up, data.normal === k ? 0.0 : 0.28).normalize();
    // as near as all corners of the box around everything allow
    const right = new THREE.Vector3().crossVectors(up, direction).normalize(), above = new THREE.Vector3().crossVectors(direction, right);
    const slope = Math.tan(camera.fov * Math.PI / 360), corner = new THREE.Vector3();
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      corner.set(...[0, 1, 2].map((c) => ((k >> c) & 1 ? 0.5 : -0.5) * extent.getComponent(c)));
      const aside = Math.max(Math.abs(corner.dot(right)) / (camera.aspect || 1), Math.abs(corner.dot(above)));
      distance = Math.max(distance, corner.dot(direction) + 1.14 * aside / slope);
    }
    camera.position.copy(middle).addScaledVector(direction, distance || 1);
    sun.position.copy(middle).addScaledVector(up, 3 * radius).addScaledVector(direction, 1.5 * radius)
      .add(new THREE.Vector3(-radius, 0.6 * radius, 0));
    sun.target.position.copy(middle);
    Object.assign(sun.shadow.camera, { left: -1.6 * radius, right: 1.6 * radius, top: 1.6 * radius, bottom: -1.6 * radius,
      near: 0.1 * radius, far: 9 * radius });
    sun.shadow.camera.updateProjectionMatrix();
    sun.shadow.normalBias = 0.004 * radius;
    return radius;
  };
  const controls = new THREE.OrbitControls(camera, renderer.domElement);
  controls.enableDamping = true;
  controls.dampingFactor = 0.15;
  controls.addEventListener("change", touch);
  // Where pictures take long, playback is drawn coarser: shadows at every fourth picture, then none, then fewer pixels.
  const quality = { level: 0, coarse: isSoftware ? 2 : 0, sum: 0, count: 0, SLOW: 45, LEVELS: [1, 1, 1, 0.75] };
  const setQuality = (level) => {
    if (level === quality.level) return;
    quality.level = level;
    renderer.shadowMap.autoUpdate = level === 0;
    sun.shadow.intensity = level < 2 ? 1 : 0;
    resize();
  };
  const resize = () => {
    const { clientWidth: w, clientHeight: h } = stage;
    touch();
    renderer.setPixelRatio(quality.LEVELS[quality.level] * Math.min(window.devicePixelRatio, 2));
    renderer.setSize(w, h, false);
    camera.aspect = w / Math.max(h, 1);
    camera.updateProjectionMatrix();
  };
  resize();
  const radius = look();
  controls.target.copy(middle);
  window.addEventListener("resize", () => { resize(); drawPlots(); });
  if (data.gravity) {
    const steps = 10 ** Math.floor(Math.log10(radius)), cell = radius / steps > 4 ? steps : steps / 2;
    const n = 2 * Math.ceil(2.2 * radius / cell);
    const grid = new THREE.GridHelper(n * cell, n, "#d6dade", "#e8eaed");
    const plane = new THREE.Mesh(new THREE.PlaneGeometry(n * cell, n * cell), new THREE.ShadowMaterial({ opacity: 0.13 }));
    plane.receiveShadow = true;
    grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
    plane.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
    scene.add(grid, plane);
    switched.ground.push(grid, plane);
  }
  const layGround = () => switched.ground.forEach((item, k) => {
    item.position.copy(middle);
    item.position.setComponent(upAxis, (upSign > 0 ? low : high)[upAxis] - 0.02 * upSign * radius);
    item.position.addScaledVector(up, 0.002 * k * radius);
  });
  layGround();
  // After a change of shapes: the ground below all, and all in sight unless the user has turned the view.
  let turned = false;
  controls.addEventListener("start", () => { turned = true; });
  const refit = () => {
    low.fill(Infinity);
    high.fill(-Infinity);
    extend();
    const seen = camera.position.clone();
    look();
    if (turned) camera.position.copy(seen); else controls.target.copy(middle);
    layGround();
  };

  // ---- show a time
  const from = new THREE.Quaternion(), to = new THREE.Quaternion(), ends = [new THREE.Vector3(), new THREE.Vector3()];
  const along = new THREE.Vector3(), last = new THREE.Vector3();
  let followed = null;
  const pose = () => {
    motions.forEach((coarse, m) => {
      const motion = (m === 0 && page.finer && page.finer(time)) || coarse, [a, b, s] = place(motion.times, time);
      for (let i = 0; i < nBodies; i++) {
        const group = figures[m][i], x = 7 * (a * nBodies + i), y = 7 * (b * nBodies + i), p = motion.poses;
        group.position.set(p[x] + s * (p[y] - p[x]), p[x + 1] + s * (p[y + 1] - p[x + 1]), p[x + 2] + s * (p[y + 2] - p[x + 2]));
        from.fromArray(p, x + 3);
        to.fromArray(p, y + 3);
        group.quaternion.copy(from).slerp(to, s);
      }
    });
    for (const strut of struts) {
      strut.bodies.forEach((body, k) => {
        ends[k].fromArray(strut.points[k]);
        if (body >= 0) ends[k].applyQuaternion(figures[0][body].quaternion).add(figures[0][body].position);
      });
      along.subVectors(ends[1], ends[0]);
      strut.whole.position.copy(ends[0]);
      strut.group.scale.set(1, 1, Math.max(along.length(), 1e-9));
      strut.whole.quaternion.setFromUnitVectors(zAxis, along.normalize());
    }
    pointAll();
    if (shown.follow && nBodies) {
      const centre = new THREE.Vector3();
      for (const group of figures[0]) centre.addScaledVector(group.position, 1 / nBodies);
      if (followed) { last.subVectors(centre, followed); camera.position.add(last); controls.target.add(last); }
      followed = centre;
    } else followed = null;
  };

  // ---- plots
  const plots = [], NAMED = 12, plotBox = element("div", {}, byId("side")); // so many curves a legend names
  const read = (panel) => ({ ...panel, t: floats(panel.t), curves: panel.curves.map((c) => ({ ...c, values: floats(c.values) })) });
  const setPlots = (panels) => {
    const same = panels.length === plots.length && panels.every((panel, k) => panel.curves.length === plots[k].curves.length);
    if (same) panels.forEach((panel, k) => Object.assign(plots[k], read(panel)));
    else { plots.length = 0; plotBox.replaceChildren(); addPlots(panels); }
    drawPlots();
  };
  const addPlots = (panels) => {
    for (const panel of panels) {
      const made = read(panel), head = element("h2", { textContent: `${panel.title} ` }, plotBox);
      element("small", { textContent: panel.unit ? `[${panel.unit}]` : "" }, head);
      const frame = element("div", { className: "plotframe" }, plotBox);
      made.canvas = element("canvas", { className: "plot" }, frame);
      made.mark = element("div", { className: "cursor" }, frame);
      const legend = element("div", { className: "legend" }, plotBox);
      made.texts = made.curves.slice(0, NAMED).map((curve, k) => {
        const item = element("span", {}, legend);
        element("i", { style: `background:${PALETTE[k % PALETTE.length]}` }, item);
        return item.appendChild(document.createTextNode(curve.label));
      });
      if (made.curves.length > NAMED) element("span", { textContent: `and ${made.curves.length - NAMED} more` }, legend);
      made.canvas.addEventListener("pointerdown", (event) => {
        const seek = (e) => {
          const box = made.canvas.getBoundingClientRect(), [a, b] = span();
          go(a + (b - a) * Math.min(Math.max((e.clientX - box.left - 54) / (box.width - 60), 0), 1));
        };
        seek(event);
        made.canvas.setPointerCapture(event.pointerId);
        made.canvas.onpointermove = seek;
        made.canvas.onpointerup = () => { made.canvas.onpointermove = null; };
      });
      plots.push(made);
    }
  };
  const drawPlot = (plot) => {
    const ratio = Math.min(window.devicePixelRatio, 2), w = plot.canvas.clientWidth, h = plot.canvas.clientHeight;
    if (!w) return;
    plot.canvas.width = w * ratio;
    plot.canvas.height = h * ratio;
    const c = plot.canvas.getContext("2d");
    c.scale(ratio, ratio);
    const scaled = (y) => (plot.log ? Math.log10(Math.max(y, 1e-17)) : y);
    let least = Infinity, most = -Infinity;
    for (const curve of plot.curves) for (const y of curve.values) if (Number.isFinite(y)) {
      least = Math.min(least, scaled(y)); most = Math.max(most, scaled(y));
    }
    if (!Number.isFinite(least)) return;
    if (most - least < 1e-12 * Math.max(1, Math.abs(most))) { least -= 0.5; most += 0.5; }
    const [t0, t1] = span(), X = (t) => 54 + (w - 60) * (t - t0) / (t1 - t0 || 1), Y = (y) => h - 8 - (h - 16) * (y - least) / (most - least);
    c.font = "10px system-ui, sans-serif";
    c.textAlign = "right";
    for (const s of [0, 0.5, 1]) {
      const y = least + s * (most - least);
      c.strokeStyle = "#e8eaed";
      c.beginPath(); c.moveTo(54, Y(y)); c.lineTo(w - 6, Y(y)); c.stroke();
      c.fillStyle = GREY;
      c.fillText(plot.log ? `1e${y.toFixed(0)}` : number(y), 50, Y(y) + 3);
    }
    plot.curves.forEach((curve, k) => {
      c.strokeStyle = PALETTE[k % PALETTE.length];
      c.lineWidth = 1.4;
      c.setLineDash(curve.dashed ? [5, 3] : []);
      c.beginPath();
      let pen = false;
      const every = Math.max(1, Math.floor(plot.t.length / (2 * w)));
      for (let i = 0; i < plot.t.length; i += every) {
        const y = scaled(curve.values[i]);
        if (!Number.isFinite(y)) { pen = false; continue; }
        if (pen) c.lineTo(X(plot.t[i]), Y(y)); else c.moveTo(X(plot.t[i]), Y(y));
        pen = true;
      }
      c.stroke();
      c.setLineDash([]);
    });
    for (const event of data.events) {
      c.strokeStyle = "#c3c8d0";
      c.setLineDash([2, 3]);
      c.beginPath(); c.moveTo(X(event.t), 4); c.lineTo(X(event.t), h - 4); c.stroke();
      c.setLineDash([]);
    }
    plot.place = X;
  };
  const drawPlots = () => { for (const plot of plots) drawPlot(plot); };
  let told = -Infinity;
  const cursors = () => {
    const now = performance.now(), tells = !playing || now - told > 100; // numbers that change faster cannot be read
    if (tells) told = now;
    for (const plot of plots) {
      if (!plot.place) continue;
      plot.mark.style.transform = `translateX(${plot.place(time)}px)`;
      if (!tells) continue;
      const [a, b, s] = place(plot.t, time);
      plot.texts.forEach((text, k) => {
        const curve = plot.curves[k], y = curve.values[a] + s * (curve.values[b] - curve.values[a]);
        text.data = `${curve.label ? `${curve.label} ` : ""}${number(y)}`;
      });
    }
  };

  // ---- playback
  const scrub = byId("scrub"), button = byId("play"), clock = byId("time");
  const go = (t) => {
    const [a, b] = span();
    touch();
    time = Math.min(Math.max(t, a), b);
    scrub.value = String(b > a ? 1000 * (time - a) / (b - a) : 0);
    clock.textContent = `${data.axis.name} = ${time.toFixed(data.axis.digits)} ${data.axis.unit}`;
  };
  const toggle = (on) => { playing = on; touch(); button.textContent = on ? "❚❚" : "▶"; button.title = on ? "pause (space)" : "play (space)"; };
  scrub.addEventListener("input", () => { const [a, b] = span(); toggle(false); go(a + (b - a) * scrub.value / 1000); });
  button.addEventListener("click", () => toggle(!playing));
  byId("speed").addEventListener("change", (event) => { speed = Number(event.target.value); });
  document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT" && event.key !== " ") return;
    const [a, b] = span();
    if (event.key === " ") { toggle(!playing); event.preventDefault(); }
    if (event.key === "ArrowRight") go(time + (b - a) / 200);
    if (event.key === "ArrowLeft") go(time - (b - a) / 200);
  });

  const page = { data, motions, figures, controls, camera, scene, renderer, stage, THREE, element, byId, number, floats,
    setPlots, paths, span, go, toggle, touch, rebuild: build, removeArrows, refit, quality, time: () => time,
    pictures: 0, drawn: 0, spent: 0, before: null, finer: null, isPlaying: () => playing, switched, shown, arrows: () => [...arrows, ...blows] };
  window.poinsot = page;
  addPlots(data.panels);
  if (!data.panels.length && !data.live && !(data.served && data.served.parameters.length)) byId("side").style.display = "none";
  if (motions[0].times.length < 2) byId("bar").style.display = "none";
  for (const [name, items] of Object.entries(switched)) for (const item of items) item.visible = Boolean(shown[name]);
  paths();
  resize();
  look();
  drawPlots();
  go(span()[0]);
  let before = null, wasDrawn = false;
  const frame = (now) => {
    const start = performance.now();
    if (playing && before !== null) {
      const [a, b] = span(), t = time + speed * data.axis.rate * (now - before) / 1000;
      go(t > b ? a : t);
    }
    if (page.before) page.before(now);
    controls.update();
    const moves = playing || (page.live && page.live.isRunning());
    if (!moves) setQuality(0);
    else if (wasDrawn && before !== null) {
      quality.sum += now - before;
      quality.count += 1;
      if (quality.count === 8) {
        if (quality.sum / quality.count > quality.SLOW) quality.coarse = Math.min(quality.coarse + 1, quality.LEVELS.length - 1);
        quality.sum = quality.count = 0;
      }
    }
    if (moves) setQuality(quality.coarse);
    before = now;
    wasDrawn = dirty;
    if (dirty) {
      dirty = false;
      pose();
      cursors();
      page.spent = performance.now() - start; // our own time, in milliseconds
      renderer.shadowMap.needsUpdate = quality.level < 2 && page.drawn % 4 === 0;
      renderer.render(scene, camera);
      page.drawn += 1;
    }
    page.pictures += 1;
    requestAnimationFrame(frame);
  };
  toggle(data.play && motions[0].times.length > 1);
  requestAnimationFrame(frame);
})();
